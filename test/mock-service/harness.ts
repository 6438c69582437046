import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import {
  createMockService,
  type MockService,
  type MockServiceOptions,
} from '../../src/mock-service/index.ts';
import { JWT_BEARER_GRANT } from '../../src/protocol/index.ts';
import { FakeClock, MemoryLog, NetworkError, SeededRandom } from '../../src/runtime/index.ts';
import { TestUser } from '../support/test-user.ts';

export const BASE = 'https://service.test';
export const PROVIDER = 'https://provider.test';

/** One object that every test reads from an answer: members are looked at, not trusted. */
export type Json = Record<string, unknown> & {
  claim?: Ceremony;
  claim_attempt?: Ceremony;
};
export interface Ceremony {
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval: number;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

/** Of the provider of every harness: to make a pair takes as long as a registration. */
let providerKey: ReturnType<typeof generateKeyPair> | undefined;

/** A mock service on a fake clock, with a provider it trusts whose keys the test holds. */
export class Harness {
  readonly clock = new FakeClock();
  readonly log = new MemoryLog();
  readonly provider = new FakeProvider(this.clock);
  service!: MockService;

  static async start(options: Partial<MockServiceOptions> = {}): Promise<Harness> {
    const harness = new Harness();
    providerKey ??= generateKeyPair('ES256');
    await harness.provider.addKey('key-1', 'ES256', providerKey);
    harness.service = await createMockService({
      baseUrl: BASE,
      clock: harness.clock,
      random: new SeededRandom(),
      fetch: harness.provider.fetch,
      delay: async (ms) => harness.clock.advance(ms),
      log: harness.log,
      trust: [{ issuer: PROVIDER, name: 'Example Provider' }],
      ...options,
    });
    return harness;
  }

  async send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await this.service.fetch(new Request(BASE + path, { ...init, method }));
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as Json) : text === '' ? {} : { text },
    };
  }

  async post(path: string, body: unknown): Promise<Answer> {
    return this.send('POST', path, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  async form(path: string, fields: Record<string, string>): Promise<Answer> {
    return this.send('POST', path, { body: new URLSearchParams(fields) });
  }

  register(body: unknown): Promise<Answer> {
    return this.post('/agent/identity', body);
  }

  startClaim(claimToken: unknown, email: string): Promise<Answer> {
    return this.post('/agent/identity/claim', { claim_token: claimToken, email });
  }

  poll(claimToken: unknown, more: Record<string, string> = {}): Promise<Answer> {
    return this.form('/oauth2/token', {
      grant_type: 'urn:vendor:agent-auth:grant-type:claim',
      claim_token: String(claimToken),
      ...more,
    });
  }

  exchange(assertion: unknown, more: Record<string, string> = {}): Promise<Answer> {
    return this.form('/oauth2/token', {
      grant_type: JWT_BEARER_GRANT,
      assertion: String(assertion),
      ...more,
    });
  }

  call(accessToken: unknown, method = 'GET', path = '/api/resource'): Promise<Answer> {
    return this.send(method, path, { headers: { authorization: `Bearer ${String(accessToken)}` } });
  }

  user(): TestUser {
    return new TestUser(this.service.fetch);
  }

  /** The user does it all: opens the link, signs in, types the code, approves. */
  async complete(ceremony: Ceremony, email: string, code = ceremony.user_code) {
    const user = this.user();
    const page = await user.openSignedIn(ceremony.verification_uri, email);
    return user.submit(page, '/agent/identity/claim/complete', {
      user_code: code,
      decision: 'approve',
    });
  }

  /** An anonymous registration that `email` has claimed, its claim not yet collected. */
  async claimedAnonymous(email = 'alice@example.com') {
    const { body } = await this.register({ type: 'anonymous' });
    const started = await this.startClaim(body['claim_token'], email);
    await this.complete(ceremonyOf(started), email);
    return body;
  }

  /** The claim poll of a claim that is complete. */
  async collect(claimToken: unknown): Promise<Json> {
    const { body, status } = await this.poll(claimToken);
    if (status !== 200) throw new Error(`The claim cannot be collected: ${JSON.stringify(body)}`);
    return body;
  }
}

export function ceremonyOf({ body }: Pick<Answer, 'body'>): Ceremony {
  const ceremony = body.claim ?? body.claim_attempt;
  if (ceremony === undefined) throw new Error(`No ceremony in ${JSON.stringify(body)}`);
  return ceremony;
}

/** A provider of a few lines: keys, and whatever JWT a test wants signed. */
export class FakeProvider {
  readonly keys = new Map<string, { readonly jwk: JWK; readonly privateKey: CryptoKey }>();
  reachable = true;
  fetches = 0;
  #serial = 0;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  readonly fetch = async (url: string): Promise<Response> => {
    if (!this.reachable) throw new NetworkError('refused', 'The connection was refused.');
    if (url !== `${PROVIDER}/.well-known/jwks.json`) return new Response(null, { status: 404 });
    this.fetches += 1;
    return Response.json({ keys: [...this.keys.values()].map(({ jwk }) => jwk) });
  };

  async addKey(kid: string, alg = 'ES256', pair = generateKeyPair(alg)): Promise<void> {
    const { privateKey, publicKey } = await pair;
    const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
    this.keys.set(kid, { jwk, privateKey });
  }

  /** Replaces all keys by one that is given. */
  async useKey(jwk: JWK): Promise<void> {
    const { d: _private, ...publicJwk } = jwk;
    const privateKey = await importJWK(jwk, jwk.alg);
    if (privateKey instanceof Uint8Array) throw new TypeError('The key is no private key.');
    this.keys.clear();
    this.keys.set('key-1', { jwk: { ...publicJwk, kid: 'key-1', use: 'sig' }, privateKey });
  }

  /** Seconds now. */
  get now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  idJagClaims(): Record<string, unknown> {
    this.#serial += 1;
    return {
      iss: PROVIDER,
      sub: 'user-1',
      aud: BASE,
      client_id: PROVIDER,
      jti: `jti-${this.#serial}`,
      iat: this.now,
      exp: this.now + 300,
      auth_time: this.now - 60,
      email: 'alice@example.com',
      email_verified: true,
    };
  }

  /** An ID-JAG with claims added, replaced, or left out where `undefined`. */
  idJag(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
    return this.sign({ ...this.idJagClaims(), ...claims }, { typ: 'oauth-id-jag+jwt', ...header });
  }

  event(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
    this.#serial += 1;
    return this.sign(
      {
        iss: PROVIDER,
        aud: BASE,
        iat: this.now,
        jti: `set-${this.#serial}`,
        sub: 'user-1',
        events: {
          'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked': {},
        },
        ...claims,
      },
      { typ: 'secevent+jwt', ...header },
    );
  }

  async sign(claims: Record<string, unknown>, header: Record<string, unknown>): Promise<string> {
    const kid = String(header['kid'] ?? 'key-1');
    const key = this.keys.get(kid) ?? this.keys.get('key-1');
    if (key === undefined) throw new Error('The fake provider has no key.');
    return new SignJWT(claims)
      .setProtectedHeader({ alg: key.jwk.alg ?? 'ES256', kid, ...header })
      .sign(key.privateKey);
  }
}
