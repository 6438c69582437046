// own-agent.ts: registers, has its user claim the registration, and calls the service.
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What the agent needs of the world around it. A test gives it that of a test world. */
interface Outside {
  readonly fetch: typeof fetch;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly show: (page: string, code: string) => void;
}

interface Metadata {
  readonly token_endpoint: string;
  readonly grant_types_supported: readonly string[];
  readonly agent_auth: { readonly identity_endpoint: string; readonly claim_endpoint: string };
}
interface Registration {
  readonly claim_token: string;
  readonly identity_assertion: string;
}
interface Opened {
  readonly claim_attempt: { verification_uri: string; user_code: string; interval: number };
}
interface Token {
  readonly access_token: string;
  readonly error?: string;
}

export async function register(service: string, { fetch, sleep, show }: Outside) {
  const resource = await ask<{ readonly authorization_servers: readonly string[] }>(
    `${service}/.well-known/oauth-protected-resource`,
  );
  const [server] = resource.authorization_servers;
  const metadata = await ask<Metadata>(`${server}/.well-known/oauth-authorization-server`);
  const { identity_endpoint, claim_endpoint } = metadata.agent_auth;

  const anonymous = JSON.stringify({ type: 'anonymous' });
  const registration = await ask<Registration>(identity_endpoint, anonymous);
  const { claim_token, identity_assertion: assertion } = registration;
  const exchange = new URLSearchParams({ grant_type: JWT_BEARER, assertion });
  let token = await ask<Token>(metadata.token_endpoint, exchange);

  /** Shows the user a page and a code, and polls until they have approved. */
  async function claim(email: string): Promise<void> {
    const opened = await ask<Opened>(claim_endpoint, JSON.stringify({ claim_token, email }));
    const { verification_uri, user_code, interval } = opened.claim_attempt;
    show(verification_uri, user_code);
    const grants = metadata.grant_types_supported;
    const grant_type = grants.find((grant) => grant.endsWith(':grant-type:claim')) ?? '';
    let seconds = interval;
    do {
      await sleep(seconds * 1000);
      const poll = new URLSearchParams({ grant_type, claim_token });
      token = await ask<Token>(metadata.token_endpoint, poll);
      if (token.error === 'slow_down') seconds += 5;
    } while (token.error !== undefined);
  }

  function call(path: string, method = 'GET'): Promise<Response> {
    const headers = { authorization: `Bearer ${token.access_token}` };
    return fetch(service + path, { method, headers });
  }

  return { claim, call };

  /** GET, or POST with a body: JSON to register and to claim, a form for tokens. */
  async function ask<Answer>(url: string, body?: string | URLSearchParams): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const post = { method: 'POST', body: body ?? null };
    const json = typeof body === 'string' ? { headers } : {};
    const response = await fetch(url, body === undefined ? {} : { ...post, ...json });
    const answer = (await response.json()) as Answer & { readonly error?: string };
    const goesOn = ['authorization_pending', 'slow_down'].includes(answer.error ?? '');
    if (!response.ok && !goesOn) throw new Error(`${url}: ${response.status} ${answer.error}`);
    return answer;
  }
}
