import type {
  Invitation,
  WatchAgentOptions,
} from '../../../src/conformance/agent/watch/watch-agent.ts';
import { ID_JAG_TOKEN_TYPE, ID_TOKEN_TYPE, JWT_BEARER_GRANT } from '../../../src/protocol/index.ts';
import { systemSleep } from '../../../src/runtime/index.ts';
import { CONNECTS } from '../../clients/cross-app-client.ts';

const CLAIM_GRANT = 'urn:vendor:agent-auth:grant-type:claim';
const MINUTE = 60_000;

/** A clock that moves when it is told to. Short sleeps are real and shorter; long ones last until the end. */
export class Time {
  #now = Date.UTC(2030, 0, 1);
  readonly clock = { now: () => this.#now };
  readonly sleep: WatchAgentOptions['sleep'] = (ms, signal) =>
    ms > 1000
      ? new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
        )
      : systemSleep(2, signal);
  pass(ms: number): void {
    this.#now += ms;
  }
}

/** An agent of a few lines, over real HTTP, whose steps a test may do differently. */
export class WatchedAgent {
  readonly #time: Time;
  readonly #invitation: Invitation;
  registered: Record<string, string> = {};
  token = '';

  constructor(time: Time, invitation: Invitation) {
    this.#time = time;
    this.#invitation = invitation;
  }

  get email(): string {
    return this.#invitation.email;
  }

  async discover(): Promise<void> {
    const { resource, service } = this.#invitation;
    const challenged = await fetch(resource);
    const [, metadata = ''] =
      /resource_metadata="([^"]+)"/.exec(challenged.headers.get('www-authenticate') ?? '') ?? [];
    await fetch(metadata);
    await fetch(`${service}/.well-known/oauth-authorization-server`);
  }

  /** Signs its user in at the provider, and calls the MCP server by cross-app access. */
  async connect(): Promise<number> {
    const { clients, mcp: resource } = this.#invitation;
    const [here, there] = await Promise.all(
      clients.map(({ client_id: id, client_secret: secret, issuer }) =>
        CONNECTS['openid-client']?.(issuer, { id, secret, method: 'client_secret_post' }),
      ),
    );
    const visit = async (url: string) =>
      (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
    const { idToken } = (await here?.signIn(visit)) ?? {};
    const minted = await here?.exchange({
      requested_token_type: ID_JAG_TOKEN_TYPE,
      subject_token: String(idToken),
      subject_token_type: ID_TOKEN_TYPE,
      audience: String(clients[1]?.issuer),
      resource,
    });
    const redeemed = await there?.redeem({ assertion: String(minted?.['access_token']), resource });
    const called = await fetch(resource, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${redeemed?.['access_token']}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'a', version: '1' },
        },
      }),
    });
    return called.status;
  }

  async register(body: Record<string, unknown> = { type: 'anonymous' }): Promise<void> {
    this.registered = await this.#post('/agent/identity', body);
  }

  async exchange(assertion = this.registered['identity_assertion'] ?? ''): Promise<void> {
    const form = { grant_type: JWT_BEARER_GRANT, assertion };
    this.token = (await this.#form('/oauth2/token', form))['access_token'] ?? '';
  }

  async startClaim(): Promise<void> {
    const { claim_token } = this.registered;
    await this.#post('/agent/identity/claim', { claim_token, email: this.email });
  }

  /** Polls until there is a token, with these pauses, in seconds; the last one goes on. */
  async poll(pauses: readonly number[]): Promise<void> {
    const { claim_token = '' } = this.registered;
    for (let nth = 0; nth < 10; nth += 1) {
      this.#time.pass((pauses[nth] ?? pauses.at(-1) ?? 1) * 1000);
      const answer = await this.#form('/oauth2/token', { grant_type: CLAIM_GRANT, claim_token });
      if (answer['access_token'] !== undefined) {
        this.token = answer['access_token'];
        this.registered = { ...this.registered, ...answer };
        return;
      }
    }
  }

  async call(query = ''): Promise<number> {
    const headers = { authorization: `Bearer ${this.token}` };
    return (await fetch(this.#invitation.resource + query, { headers })).status;
  }

  async revoke(token = this.token): Promise<void> {
    await this.#form('/oauth2/revoke', { token });
  }

  /** Seconds later. */
  rest(seconds: number): void {
    this.#time.pass(seconds * 1000);
  }

  leave(): void {
    this.#time.pass(2 * MINUTE);
  }

  async #post(path: string, body: unknown): Promise<Record<string, string>> {
    const answer = await fetch(this.#invitation.service + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, string>;
  }

  async #form(path: string, form: Record<string, string>): Promise<Record<string, string>> {
    const answer = await fetch(this.#invitation.service + path, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const text = await answer.text();
    return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
  }
}
