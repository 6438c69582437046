import { decodeProtectedHeader, type JSONWebKeySet, type JWTPayload } from 'jose';
import {
  createMockProvider,
  type MockProvider,
  type MockProviderOptions,
} from '../../src/mock-provider/index.ts';
import {
  DEVICE_CODE_GRANT,
  decodeJwt,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/index.ts';
import { FakeClock, MemoryLog, NetworkError, SeededRandom } from '../../src/runtime/index.ts';
import { type Page, TestUser } from '../support/test-user.ts';

export const ISSUER = 'https://provider.test';
export const SERVICE = 'https://service.test';

/** One object that every test reads from an answer: members are looked at, not trusted. */
export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export interface DeviceAuthorization {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** A mock provider on a fake clock, and what an agent and its user do with it. */
export class Harness {
  readonly clock = new FakeClock();
  readonly log = new MemoryLog();
  readonly provider: MockProvider;

  private constructor(provider: MockProvider, clock: FakeClock, log: MemoryLog) {
    this.provider = provider;
    this.clock = clock;
    this.log = log;
  }

  static async start(options: Partial<MockProviderOptions> = {}): Promise<Harness> {
    const clock = new FakeClock();
    const log = new MemoryLog();
    const provider = await createMockProvider({
      baseUrl: ISSUER,
      clock,
      random: new SeededRandom(),
      delay: async (ms) => clock.advance(ms),
      fetch: async () => {
        throw new NetworkError('refused', 'The provider asks nobody.');
      },
      log,
      ...options,
    });
    return new Harness(provider, clock, log);
  }

  newUser(): TestUser {
    return new TestUser(this.provider.fetch);
  }

  async send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await this.provider.fetch(new Request(ISSUER + path, { ...init, method }));
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? (JSON.parse(text) as Json) : { text },
    };
  }

  form(
    path: string,
    fields: Readonly<Record<string, string | undefined>>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) body.set(name, value);
    }
    return this.send('POST', path, { body, headers });
  }

  askForDevice(fields: Readonly<Record<string, string | undefined>> = {}): Promise<Answer> {
    return this.form('/oauth2/device_authorization', {
      client_id: 'agent-auth',
      scope: 'openid email',
      ...fields,
    });
  }

  async device(
    fields: Readonly<Record<string, string | undefined>> = {},
  ): Promise<DeviceAuthorization> {
    const { body } = await this.askForDevice(fields);
    return body as unknown as DeviceAuthorization;
  }

  poll(deviceCode: string, fields: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.form('/oauth2/token', {
      grant_type: DEVICE_CODE_GRANT,
      device_code: deviceCode,
      client_id: 'agent-auth',
      ...fields,
    });
  }

  /** Opens the page of a device authorization, signs in, types the code, and decides. */
  async decideDevice(
    { user_code, verification_uri }: DeviceAuthorization,
    email: string,
    decision: 'approve' | 'deny',
    user = this.newUser(),
  ): Promise<Page> {
    const form = await user.openSignedIn(verification_uri, email);
    const question = await user.submit(form, '/device', { user_code });
    return user.submit(question, '/device', { decision });
  }

  /** From nothing to an ID token. */
  async signIn(email = 'alice@example.com'): Promise<string> {
    const device = await this.device();
    await this.decideDevice(device, email, 'approve');
    return String((await this.poll(device.device_code)).body['id_token']);
  }

  mint(idToken: string, fields: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.form('/oauth2/token', {
      grant_type: TOKEN_EXCHANGE_GRANT,
      client_id: 'agent-auth',
      requested_token_type: ID_JAG_TOKEN_TYPE,
      audience: SERVICE,
      subject_token: idToken,
      subject_token_type: ID_TOKEN_TYPE,
      ...fields,
    });
  }

  /** Answers the question of a `consent_required`. */
  async decideConsent(
    { body }: Answer,
    email = 'alice@example.com',
    decision: 'approve' | 'deny' = 'approve',
    user = this.newUser(),
  ): Promise<Page> {
    const question = await user.openSignedIn(String(body['consent_uri']), email);
    return user.submit(question, '/consent', { decision });
  }

  /** Mints after the consent that it asks for. */
  async mintWithConsent(
    idToken: string,
    fields: Record<string, string | undefined> = {},
    email = 'alice@example.com',
  ): Promise<Answer> {
    await this.decideConsent(await this.mint(idToken, fields), email);
    return this.mint(idToken, fields);
  }

  /** Takes the consent back as an agent does. */
  revoke(idToken: string, fields: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.form('/oauth2/consents/revoke', {
      client_id: 'agent-auth',
      audience: SERVICE,
      subject_token: idToken,
      subject_token_type: ID_TOKEN_TYPE,
      ...fields,
    });
  }

  /** Signed in, with a consent to the service; resolves to the ID token. */
  async consented(email = 'alice@example.com'): Promise<string> {
    const idToken = await this.signIn(email);
    await this.mintWithConsent(idToken, {}, email);
    return idToken;
  }

  async jwks(): Promise<JSONWebKeySet> {
    return (await this.send('GET', '/.well-known/jwks.json')).body as unknown as JSONWebKeySet;
  }

  get now(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}

/** Header and claims of a JWT, looked at without being verified. */
export function open(jwt: unknown): { header: Json; claims: JWTPayload & Json } {
  const token = String(jwt);
  return {
    header: decodeProtectedHeader(token) as Json,
    claims: decodeJwt(token)?.payload as JWTPayload & Json,
  };
}
