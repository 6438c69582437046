import { beforeAll, describe, expect, it } from 'vitest';
import { type Exchange, type Explained, Explainer } from '../../src/traffic/index.ts';
import { runAllFlows } from '../mock/traffic/all-flows.ts';

const line = ({ exchange, from, meaning, state, step }: Explained) =>
  `${from} → ${exchange.to} ${step}: ${meaning}${state === undefined ? '' : ` [${state}]`}`;

describe('the flows of the specification, explained', () => {
  let lines: readonly string[];

  beforeAll(async () => {
    const { log } = await runAllFlows();
    const explainer = new Explainer();
    lines = log.read().exchanges.map((exchange) => line(explainer.explain(exchange)));
  });

  it('name each step', () => {
    expect(lines.filter((text) => /→ \w+ (other|token):/.test(text))).toEqual([]);
  });

  it.each([
    'agent → service call: no token: the challenge points to the metadata',
    'agent → service register: registered; the assertion can be exchanged for a token [unclaimed]',
    'agent → service exchange: exchanged: a token for api.read [unclaimed]',
    'agent → service open_claim: a claim attempt is open: a code and a page for the user [pending]',
    'user → service sign_in: signed in [pending]',
    'user → service complete_claim: the user approved: the registration is theirs [claimed]',
    'agent → service poll: claimed: a token for api.read api.write, and the second assertion [claimed]',
    'user → service connections: the registration is revoked [revoked]',
    'agent → provider mint: minted: an ID-JAG for this audience only',
    'service → provider keys: the keys that ID-JAGs are verified with',
    'agent → service register: interaction_required: the user must confirm the link to an existing account [pending]',
  ])('have %s', (text) => {
    expect(lines).toContain(text);
  });

  it('go from one state to the next', () => {
    const states = lines.flatMap((text) => /\[(\w+)\]$/.exec(text)?.[1] ?? []);
    const changes = states.filter((state, at) => state !== states[at - 1]);
    expect(changes.slice(0, 5)).toEqual(['unclaimed', 'pending', 'lapsed', 'pending', 'claimed']);
  });
});

const MESSAGE = { headers: {}, body: null, bodyState: 'none', bytes: 0 } as const;

function exchange(url: string, given: Partial<Exchange> = {}): Exchange {
  const { pathname: path } = new URL(url);
  const base = { seq: 1, to: 'service', at: 0, duration: 0, method: 'GET', status: 200 } as const;
  return { ...base, url, path, request: MESSAGE, response: MESSAGE, ...given };
}

it('takes what a browser fetches for a page for the user’s, not for the agent’s', () => {
  const style = exchange('https://service.example/style.css', {
    request: { ...MESSAGE, headers: { 'sec-fetch-dest': 'style' } },
  });
  const explainer = new Explainer();
  expect(explainer.explain(style).from).toBe('user');
  expect(explainer.explain({ ...style, request: MESSAGE }).from).toBe('agent');
});

describe('a foreign service', () => {
  const metadata = exchange('https://other.example/.well-known/oauth-authorization-server', {
    response: {
      ...MESSAGE,
      bodyState: 'whole',
      body: {
        issuer: 'https://other.example',
        token_endpoint: 'https://other.example/t',
        revocation_endpoint: 'https://other.example/gone',
        agent_auth: {
          identity_endpoint: 'https://other.example/identities',
          claim_endpoint: 'https://other.example/ask',
          identity_types_supported: ['anonymous'],
        },
      },
    },
  });
  const stepOf = (explainer: Explainer, path: string, given?: Partial<Exchange>) =>
    explainer.explain(exchange(`https://other.example${path}`, { method: 'POST', ...given })).step;

  it('is understood once its metadata was read', () => {
    const explainer = new Explainer();
    expect(stepOf(explainer, '/identities')).toBe('other');
    explainer.explain(metadata);
    expect(['/identities', '/ask', '/gone'].map((path) => stepOf(explainer, path))).toEqual([
      'register',
      'open_claim',
      'revoke',
    ]);
  });

  it('has one endpoint for tokens, and the grant says which step it is', () => {
    const explainer = new Explainer();
    explainer.explain(metadata);
    const body = { grant_type: 'urn:other:agent-auth:grant-type:claim' };
    expect(stepOf(explainer, '/t', { request: { ...MESSAGE, body } })).toBe('poll');
    expect(stepOf(explainer, '/t', { request: { ...MESSAGE, body: 'x' } })).toBe('token');
  });

  it('shows its codes as text, without control characters', () => {
    const body = { error: '\u001b[31mred\u202e', error_description: 'x' };
    const { meaning } = new Explainer().explain(
      exchange('https://other.example/oauth2/token', {
        status: 400,
        response: { ...MESSAGE, bodyState: 'whole', body },
      }),
    );
    expect(meaning).toMatch(/^[ -~]+: refused$/);
  });

  it('is not said to have got no token where one stood in the URL', () => {
    const explain = (url: string) =>
      new Explainer().explain(exchange(url, { status: 401 })).meaning;
    const at = 'https://other.example/api/x';
    expect(explain(at)).toBe('no token: the challenge points to the metadata');
    expect(explain(`${at}?access_token=secret~abcdefgh`)).toBe('refused (401)');
  });

  it('may give no answer, or what is no URL', () => {
    const explainer = new Explainer();
    expect(explainer.explain(exchange('https://other.example/x', { status: null })).meaning).toBe(
      'the connection ended without an answer',
    );
    const odd = { ...exchange('https://other.example/'), url: 'no url' };
    expect(explainer.explain(odd).step).toBe('other');
  });
});

const FORM = 'https://service.example/oauth2/token';
const jwtBearer = (more: Record<string, string>) => ({
  ...MESSAGE,
  body: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: '…', ...more },
});

it.each<[string, Exchange, string]>([
  [
    'an authorization request',
    exchange('https://provider.example/oauth2/authorize?client_id=a', {
      to: 'provider',
      status: 303,
      response: { ...MESSAGE, headers: { location: 'https://app.example/cb?code=…&state=…' } },
    }),
    'user → provider authorize: signed in: back to the client with a code',
  ],
  [
    'an authorization request that is refused',
    exchange('https://provider.example/oauth2/authorize?client_id=a', {
      to: 'provider',
      status: 303,
      response: { ...MESSAGE, headers: { location: 'https://app.example/cb?error=invalid_scope' } },
    }),
    'user → provider authorize: back to the client: invalid_scope',
  ],
  [
    'the redemption of a code',
    exchange('https://provider.example/oauth2/token', {
      to: 'provider',
      method: 'POST',
      request: { ...MESSAGE, body: { grant_type: 'authorization_code', code: '…' } },
    }),
    'agent → provider redeem_code: signed in: an ID token to exchange',
  ],
  [
    'the redemption of an ID-JAG, by its client',
    exchange(FORM, {
      method: 'POST',
      request: jwtBearer({ client_id: 'a', client_secret: '…' }),
      response: { ...MESSAGE, body: { access_token: '…', scope: 'api.read' } },
    }),
    'agent → service redeem: ID-JAG redeemed: a token for api.read',
  ],
  [
    'an assertion of a registration, without one',
    exchange(FORM, { method: 'POST', request: jwtBearer({}) }),
    'agent → service exchange: exchanged: a token',
  ],
  [
    'an introspection',
    exchange('https://service.example/oauth2/introspect', {
      method: 'POST',
      response: { ...MESSAGE, body: { active: false } },
    }),
    'agent → service introspect: the token is not active',
  ],
  [
    'a call of an MCP server, wherever it is',
    exchange('https://service.example/v1/tools', {
      method: 'POST',
      request: {
        ...MESSAGE,
        headers: { authorization: 'Bearer …' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i' } },
      },
    }),
    'agent → service mcp: the token is valid for tools/call of who_am_i',
  ],
])('explains %s of cross-app access', (_what, seen, text) => {
  expect(line(new Explainer().explain(seen))).toBe(text);
});
