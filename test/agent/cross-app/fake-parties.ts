import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createMemoryStore } from '../../../src/agent/credentials/memory-store.ts';
import { Agent, type AgentError, type ConnectOutcome } from '../../../src/agent/index.ts';
import {
  FakeClock,
  fakeSleep,
  MemoryLog,
  SeededRandom,
  sha256,
} from '../../../src/runtime/index.ts';
import { FakeLoopback } from '../../support/fake-loopback.ts';
import { failure } from '../support/bench.ts';
import { FakeWeb, json, type SeenRequest } from '../support/fake-web.ts';

export const IDP = 'https://id.example';
export const RAS = 'https://as.example';
export const MCP = 'https://mcp.example/mcp';
const TOKEN = { idp: `POST ${IDP}/token`, ras: `POST ${RAS}/token` };
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const [own, foreign] = await Promise.all([
  generateKeyPair('ES256', { extractable: true }),
  generateKeyPair('ES256', { extractable: true }),
]);
const JWK = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };

type Claims = Readonly<Record<string, unknown>>;

/** What each party says; a test has one of them say something else. */
export interface Says {
  idpMetadata?: object;
  rasMetadata?: object;
  prm?: object;
  challengeScope?: string;
  /** On the redirect; `undefined` leaves a parameter out. */
  redirect?: Readonly<Record<string, string | undefined>> | undefined;
  idToken?: Claims;
  idTokenKey?: 'foreign';
  /** Beside the ID token. */
  signIn?: object;
  refreshed?: Claims;
  idJag?: Claims;
  exchange?: object;
  token?: object;
  /** In place of the exchange, the redemption or the call, one after another. */
  refuse?: {
    exchange?: Response[];
    redeem?: Response[];
    call?: Response[];
  };
}

/** A provider, a service and its MCP server, none of them ours, and a user whose browser goes where it is sent. */
export class Parties {
  readonly clock = new FakeClock(Date.UTC(2026, 0, 1));
  readonly web = new FakeWeb(() => this.clock.now());
  readonly log = new MemoryLog();
  readonly loopback = new FakeLoopback();
  readonly store = createMemoryStore();
  readonly links: URL[] = [];
  readonly agent: Agent;
  #count = 0;

  readonly says: Says;

  constructor(says: Says = {}, options: Partial<ConstructorParameters<typeof Agent>[0]> = {}) {
    this.says = says;
    const sleep = fakeSleep(this.clock, () => this.#browse());
    const ports = { fetch: this.web.fetch, clock: this.clock, log: this.log, store: this.store };
    const random = new SeededRandom(5);
    const listenForRedirect = this.loopback.listen;
    this.agent = new Agent({ ...ports, sleep, random, listenForRedirect, ...options });
    this.web
      .on(`GET ${IDP}/.well-known/oauth-authorization-server`, () => json(this.#idp()))
      .on(`GET ${IDP}/keys`, () => json({ keys: [JWK] }))
      .on(TOKEN.idp, (request) => this.#atProvider(new URLSearchParams(request.body)))
      .on(`GET ${MCP}`, (request) => this.#call(request))
      .on(`POST ${MCP}`, (request) => this.#call(request))
      .on('GET https://mcp.example/.well-known/oauth-protected-resource/mcp', () =>
        json({
          resource: MCP,
          authorization_servers: [RAS],
          scopes_supported: ['read'],
          ...says.prm,
        }),
      )
      .on(`GET ${RAS}/.well-known/oauth-authorization-server`, () => json(this.#ras()))
      .on(TOKEN.ras, () => {
        const refusal = says.refuse?.redeem?.shift();
        return (
          refusal ??
          json({
            access_token: `at_${this.#next()}`,
            token_type: 'Bearer',
            expires_in: 600,
            ...says.token,
          })
        );
      });
  }

  /** As a user of the library has it: the sign-in is opened and waited for wherever it is needed. */
  connect(more: object = {}): Promise<ConnectOutcome> {
    return this.agent.connect({
      service: MCP,
      provider: IDP,
      client: { id: 'app', secret: 'ras-secret' },
      ...more,
      user: {
        access: async ({ attempt }) => {
          for (let tries = 0; ; tries += 1) {
            const outcome = await attempt();
            if (outcome.status === 'granted') return outcome;
            if (outcome.status !== 'login_required' || tries > 1) throw new Error(outcome.status);
            const { acrValues, clientId, maxAge, provider = IDP } = outcome;
            const login = await this.agent.providerLogin({
              provider,
              acrValues,
              clientId,
              maxAge,
              flow: 'browser',
            });
            this.links.push(new URL(String(login.ceremony.verificationUri)));
            const ended = await login.wait();
            if (ended.status !== 'signed_in') throw new Error(ended.status);
          }
        },
      },
    });
  }

  fails(more: object = {}): Promise<AgentError> {
    return failure(this.connect(more));
  }

  /** The forms that a token endpoint was sent. */
  forms(at: keyof typeof TOKEN): readonly Readonly<Record<string, string>>[] {
    return this.web
      .sent(TOKEN[at])
      .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  }

  /** By the grant type's last word. */
  grants(at: keyof typeof TOKEN): readonly string[] {
    return this.forms(at).map(({ grant_type = '' }) => grant_type.replace(/.*:/, ''));
  }

  get calls(): readonly SeenRequest[] {
    return this.web.requests.filter(({ headers, url }) => url === MCP && headers['authorization']);
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  #idp(): object {
    return {
      issuer: IDP,
      authorization_endpoint: `${IDP}/authorize`,
      token_endpoint: `${IDP}/token`,
      jwks_uri: `${IDP}/keys`,
      grant_types_supported: [
        'authorization_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.says.idpMetadata,
    };
  }

  #ras(): object {
    return {
      issuer: RAS,
      token_endpoint: `${RAS}/token`,
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      ...this.says.rasMetadata,
    };
  }

  async #browse(): Promise<void> {
    const link = this.links.at(-1);
    if (link === undefined) return;
    const of = (name: string) => link.searchParams.get(name) ?? '';
    const answer = { code: 'the-code', state: of('state'), iss: IDP, ...this.says.redirect };
    const back = new URL(of('redirect_uri'));
    for (const [name, value] of Object.entries(answer)) {
      if (value !== undefined) back.searchParams.set(name, value);
    }
    this.loopback.bring(back.href);
    // Who waits for the answer has it before the time is over.
    await new Promise((resolve) => setImmediate(resolve));
  }

  async #atProvider(form: URLSearchParams): Promise<Response> {
    const { says } = this;
    const nonce = this.links.at(-1)?.searchParams.get('nonce') ?? undefined;
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const verified = sha256(form.get('code_verifier') ?? '');
        const asked = this.links.at(-1)?.searchParams.get('code_challenge');
        if (verified !== asked) return json({ error: 'invalid_grant' }, 400);
        const id_token = await this.#idToken({ nonce, ...says.idToken });
        return json({ access_token: 'opaque', token_type: 'Bearer', id_token, ...says.signIn });
      }
      case 'refresh_token':
        return json({
          ...{
            access_token: 'opaque',
            token_type: 'Bearer',
            refresh_token: `refresh-${this.#next()}`,
          },
          id_token: await this.#idToken({ ...says.refreshed }),
        });
      default: {
        const refusal = says.refuse?.exchange?.shift();
        if (refusal !== undefined) return refusal;
        const scope = form.get('scope') ?? undefined;
        const claims = {
          iss: IDP,
          aud: RAS,
          sub: 'alice',
          client_id: 'app',
          resource: MCP,
          scope,
          jti: `j${this.#next()}`,
        };
        const idJag = await this.#sign({ ...claims, ...says.idJag }, 'oauth-id-jag+jwt', 300);
        return json({
          access_token: idJag,
          issued_token_type: ID_JAG,
          token_type: 'N_A',
          expires_in: 300,
          scope,
          ...says.exchange,
        });
      }
    }
  }

  #idToken(claims: Claims): Promise<string> {
    const time = Math.floor(this.clock.now() / 1000);
    const usual = {
      iss: IDP,
      aud: 'app',
      sub: 'alice',
      email: 'alice@example.com',
      auth_time: time,
    };
    return this.#sign({ ...usual, ...claims }, 'JWT', 3600);
  }

  #sign(claims: Claims, typ: string, life: number): Promise<string> {
    const time = Math.floor(this.clock.now() / 1000);
    const payload = Object.fromEntries(
      Object.entries({ iat: time, exp: time + life, ...claims }).filter(
        ([, value]) => value !== undefined,
      ),
    );
    const key = typ === 'JWT' && this.says.idTokenKey === 'foreign' ? foreign : own;
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ })
      .sign(key.privateKey);
  }

  #call({ headers }: SeenRequest): Response {
    if (headers['authorization'] !== undefined) {
      return this.says.refuse?.call?.shift() ?? json({ ok: true });
    }
    const scope = this.says.challengeScope;
    const challenge = `Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"${scope ? `, scope="${scope}"` : ''}`;
    return new Response('', { status: 401, headers: { 'www-authenticate': challenge } });
  }
}

export const refusal = (error: string, over: object = {}, status = 400) =>
  json({ error, ...over }, status);

export const tooNarrow = (scope: string) =>
  new Response('', {
    status: 403,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
