import { isObject, type JsonObject } from './support.ts';

export const CLAIM_GRANT = 'urn:vendor:agent-auth:grant-type:claim';
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

/** An agent for the tests: goes by the metadata alone. */
export class TestAgent {
  readonly url: string;
  readonly metadata: JsonObject;

  private constructor(url: string, metadata: JsonObject) {
    this.url = url;
    this.metadata = metadata;
  }

  /** @param url That of a protected resource. */
  static async discover(url: string): Promise<TestAgent> {
    const refused = await ask(url);
    const hint = refused.headers.get('www-authenticate') ?? '';
    const resource = await ask(/resource_metadata="?([^"]+)/.exec(hint)?.[1] ?? '');
    // The specification's own example names the server of the resource.
    if (!new URL(url).href.startsWith(new URL(String(resource.body['resource'])).href)) {
      throw new Error('metadata of another resource');
    }
    const [issuer] = resource.body['authorization_servers'] as string[];
    const { origin, pathname } = new URL(issuer ?? '');
    const path = pathname === '/' ? '' : pathname;
    const server = await ask(`${origin}/.well-known/oauth-authorization-server${path}`);
    if (server.body['issuer'] !== issuer) throw new Error('metadata of another issuer');
    return new TestAgent(url, server.body);
  }

  get issuer(): string {
    return String(this.metadata['issuer']);
  }

  register(body: JsonObject): Promise<Answer> {
    return sendJson(this.#inBlock('identity_endpoint'), body);
  }

  claim(claimToken: unknown, email: string): Promise<Answer> {
    return sendJson(this.#inBlock('claim_endpoint'), { claim_token: claimToken, email });
  }

  exchange(assertion: unknown): Promise<Answer> {
    return this.#token({ grant_type: JWT_BEARER, assertion: String(assertion) });
  }

  poll(claimToken: unknown): Promise<Answer> {
    return this.#token({ grant_type: CLAIM_GRANT, claim_token: String(claimToken) });
  }

  revoke(token: unknown): Promise<Answer> {
    const body = new URLSearchParams({ token: String(token) });
    return ask(String(this.metadata['revocation_endpoint']), { method: 'POST', body });
  }

  async call(token: unknown, method = 'GET'): Promise<number> {
    return (await ask(this.url, { method, headers: { Authorization: `Bearer ${token}` } })).status;
  }

  #token(form: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams(form);
    return ask(String(this.metadata['token_endpoint']), { method: 'POST', body });
  }

  #inBlock(name: string): string {
    const block = this.metadata['agent_auth'];
    return isObject(block) ? String(block[name]) : '';
  }
}

/** What the user has to see, wherever the service put it. */
export function ceremonyOf({ body }: Answer): { readonly code: string; readonly uri: string } {
  const block = [body['claim'], body['claim_attempt'], body].find(
    (candidate) => isObject(candidate) && 'user_code' in candidate,
  );
  if (!isObject(block)) throw new Error('no user_code');
  return { code: String(block['user_code']), uri: String(block['verification_uri']) };
}

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  const text = await response.text();
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, body: isObject(body) ? body : {} };
}

function sendJson(url: string, body: JsonObject): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  return ask(url, { method: 'POST', body: JSON.stringify(body), headers });
}
