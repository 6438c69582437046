import { decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProviderClientOptions } from '../../src/mock-provider/clients/provider-client.ts';
import type { MockProviderOptions } from '../../src/mock-provider/options.ts';
import {
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  REFRESH_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/constants.ts';
import { decodeJwt } from '../../src/protocol/jwt.ts';
import { CodeClient, REDIRECT, VERIFIER } from '../support/code-client.ts';
import type { TestUser } from '../support/test-user.ts';
import { Harness, ISSUER } from './harness.ts';

const ALICE = 'alice@example.com';
const AUDIENCE = 'https://service.test';
const RESOURCE = `${AUDIENCE}/mcp`;
const A = { client_id: 'a', client_secret: 'secret-of-a' };
const B = { client_id: 'b', client_secret: 'secret-of-b' };

const CLIENTS: readonly ProviderClientOptions[] = [
  { id: 'a', secret: A.client_secret, redirectUris: [REDIRECT, 'https://app.test/cb'] },
  { id: 'b', secret: B.client_secret, redirectUris: [REDIRECT] },
  { id: 'p', public: true, redirectUris: [REDIRECT] },
];

let h: Harness;
let a: CodeClient;
let b: CodeClient;
let user: TestUser;

async function start(options: Partial<MockProviderOptions> = {}): Promise<void> {
  h = await Harness.start({ clients: CLIENTS, audiences: [AUDIENCE], ...options });
  const peer = {
    issuer: ISSUER,
    user: () => h.newUser(),
    form: async (path: string, fields: Record<string, string>) => (await h.form(path, fields)).body,
  };
  [a, b] = [new CodeClient(peer, A), new CodeClient(peer, B)];
  user = h.newUser();
  await user.openSignedIn(`${ISSUER}/login`, ALICE);
}

beforeEach(() => start());

const claimsOf = (token: unknown) => decodeJwt(String(token))?.payload ?? {};

/** The exchange of a client for the ID token or refresh token of its user. */
async function exchange(
  subject: unknown,
  more: Record<string, string | undefined> = {},
  headers: Record<string, string> = {},
) {
  const fields = {
    ...A,
    grant_type: TOKEN_EXCHANGE_GRANT,
    requested_token_type: ID_JAG_TOKEN_TYPE,
    subject_token: String(subject),
    subject_token_type: ID_TOKEN_TYPE,
    audience: AUDIENCE,
    resource: RESOURCE,
    ...more,
  };
  return h.form('/oauth2/token', fields, headers);
}

describe('an authorization request', () => {
  it.each([
    ['a final slash', { redirect_uri: `${REDIRECT}/` }],
    ['a query', { redirect_uri: `${REDIRECT}?x=1` }],
    ['another host', { redirect_uri: 'http://evil.test/callback' }],
    ['a user before the host', { redirect_uri: 'http://127.0.0.1:9876@evil.test/callback' }],
    ['another case', { redirect_uri: REDIRECT.replace('callback', 'Callback') }],
    ['another port at a name', { redirect_uri: 'https://app.test:8443/cb' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['an unknown client', { client_id: 'x' }],
  ])('EMA-04: is never redirected with %s', async (_what, more) => {
    const { response } = await a.ask(user, more);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  it('may have another port on a loopback address (RFC 8252 §7.3)', async () => {
    const { response } = await a.ask(user, { redirect_uri: 'http://127.0.0.1:1/callback' });
    expect(response.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:1\/callback\?code=/);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    [
      'EMA-05 no challenge of a public client',
      { client_id: 'p', code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    ['EMA-06 plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['EMA-06 no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no openid', { scope: 'email' }, 'invalid_scope'],
    ['a fragment as the answer', { response_mode: 'fragment' }, 'invalid_request'],
    ['U+0000', { nonce: 'a\0' }, 'invalid_request'],
    [
      'more than a sign-in can lead back to',
      { nonce: 'x'.repeat(4096), max_age: '0' },
      'invalid_request',
    ],
    ['prompt=none without a session', { prompt: 'none', max_age: '0' }, 'login_required'],
  ])('is answered with the code by redirect: %s', async (_what, more, error) => {
    const { answer } = await a.ask(user, more);
    expect(answer?.get('error')).toBe(error);
    // EMA-12, EMA-13: on errors, too.
    expect([answer?.get('state'), answer?.get('iss')]).toEqual(['a-state', ISSUER]);
  });

  it('EMA-12: returns any state unchanged', async () => {
    const state = `&=+% é${'x'.repeat(500)}`;
    expect((await a.ask(user, { state })).answer?.get('state')).toBe(state);
  });

  it('EMA-18: max_age and prompt=login have the user sign in again, and auth_time shows it', async () => {
    const first = claimsOf((await a.signIn(ALICE))['id_token'])['auth_time'];
    h.clock.advance(60_000);
    for (const more of [{ max_age: '0' }, { prompt: 'login' }]) {
      const before = await a.ask(user, more);
      expect(before.response.headers.get('location')).toMatch(/^\/login\?.*prompt=login/);
    }
    const fresh = claimsOf((await a.signIn(ALICE))['id_token'])['auth_time'];
    expect(Number(fresh) - Number(first)).toBe(60);
  });

  it('goes on after the sign-in that prompt=login asked for', async () => {
    h.clock.advance(1000);
    const { response } = await a.ask(user, { prompt: 'login' });
    const page = await user.open(`${ISSUER}${response.headers.get('location')}`);
    const value = (name: string) =>
      page.document.querySelector(`input[name=${name}]`)?.getAttribute('value') ?? '';
    const fields = { csrf_token: value('csrf_token'), return_to: value('return_to'), email: ALICE };
    const signedIn = await user.request(`${ISSUER}/login`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: ISSUER },
    });
    const answered = await user.request(`${ISSUER}${signedIn.headers.get('location')}`);
    expect(answered.headers.get('location')).toContain(`${REDIRECT}?code=`);
  });

  it('takes any loopback redirect of a client that has none registered', async () => {
    await start({ clients: [{ id: 'a', secret: A.client_secret }] });
    expect((await a.ask(user)).answer?.has('code')).toBe(true);
    expect((await a.ask(user, { redirect_uri: 'https://app.test/cb' })).response.status).toBe(400);
  });

  it('takes any client and any loopback redirect where none is configured', async () => {
    await start({ clients: [] });
    expect((await a.ask(user, { client_id: 'any' })).answer?.has('code')).toBe(true);
    const elsewhere = await a.ask(user, { redirect_uri: 'https://app.test/cb' });
    expect(elsewhere.response.status).toBe(400);
  });
});

it('keeps what a registered redirect_uri has of its own', async () => {
  const redirect_uri = `${REDIRECT}?code=own&q=a%20b`;
  await start({ clients: [{ id: 'a', secret: A.client_secret, redirectUris: [redirect_uri] }] });
  const { response } = await a.ask(user, { redirect_uri });
  expect(response.headers.get('location')).toMatch(`${redirect_uri}&code=ac_`);
});

it('lets the form of a sign-in lead to the client alone, as browsers ask for each redirect', async () => {
  const policyOf = async (redirect_uri: string) => {
    const request = `/oauth2/authorize?${new URLSearchParams({ client_id: 'a', redirect_uri })}`;
    const page = `/login?${new URLSearchParams({ return_to: request, prompt: 'login' })}`;
    return (await user.request(ISSUER + page)).headers.get('content-security-policy');
  };
  expect(await policyOf(REDIRECT)).toContain(`form-action 'self' ${new URL(REDIRECT).origin};`);
  expect(await policyOf('https://evil.test/cb')).toContain("form-action 'self';");
});

it('signs a user in without a page at each request, whatever is asked', async () => {
  await start({ autoApprove: ALICE });
  for (const more of [{ prompt: 'login' }, { max_age: '0' }, { prompt: 'none' }]) {
    expect((await a.ask(h.newUser(), more)).answer?.has('code')).toBe(true);
  }
});

describe('the agent beside configured clients', () => {
  const AGENT = { client_id: 'agent-auth' };
  it('D-5, D-19: signs in by code as a public client, and its user is still asked', async () => {
    const signIn = await a.ask(user, AGENT);
    const { id_token } = await a.redeem(signIn.answer?.get('code') ?? '', {
      ...AGENT,
      client_secret: '',
    });
    const { body } = await exchange(id_token, { ...AGENT, client_secret: undefined });
    expect(body['error']).toBe('consent_required');
    expect((await a.ask(user, { ...AGENT, code_challenge: undefined })).answer?.get('error')).toBe(
      'invalid_request',
    );
  });

  it('is wholly gone with agentAuth: false', async () => {
    await start({ agentAuth: false });
    expect((await a.ask(user, AGENT)).response.status).toBe(400);
    const { body } = await h.send('GET', '/.well-known/oauth-authorization-server');
    expect(body).not.toHaveProperty('device_authorization_endpoint');
    expect(body['grant_types_supported']).not.toContain(
      'urn:ietf:params:oauth:grant-type:device_code',
    );
    const paths = ['/oauth2/device_authorization', '/oauth2/consents/revoke'];
    const closed = await Promise.all(paths.map((path) => h.form(path, AGENT)));
    expect(closed.map(({ status }) => status)).toEqual([404, 404]);
    expect((await h.send('GET', '/agent-auth.json')).status).toBe(404);
  });

  it('is not who shows nothing', async () => {
    expect((await h.form('/oauth2/token', { grant_type: 'refresh_token' })).status).toBe(401);
  });
});

describe('an authorization code', () => {
  const newCode = async (more: Record<string, string> = {}) =>
    (await a.ask(user, more)).answer?.get('code') ?? '';

  it('EMA-14, EMA-19: gives an ID token for its client, and no refresh token unless asked', async () => {
    const tokens = await a.redeem(await newCode());
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(claimsOf(tokens['id_token'])).toMatchObject({
      iss: ISSUER,
      aud: 'a',
      nonce: 'a-nonce',
      email: ALICE,
    });
    const info = await h.send('GET', '/oauth2/userinfo', {
      headers: { authorization: `Bearer ${String(tokens['access_token'])}` },
    });
    expect(info.body['email']).toBe(ALICE);
  });

  it.each<[string, () => Promise<Record<string, unknown>>, string]>([
    [
      'EMA-07 a wrong verifier',
      async () => a.redeem(await newCode(), { code_verifier: `${VERIFIER}x` }),
      'invalid_grant',
    ],
    [
      'EMA-07 no verifier',
      async () => a.redeem(await newCode(), { code_verifier: '' }),
      'invalid_grant',
    ],
    ['EMA-09 another client', async () => b.redeem(await newCode()), 'invalid_grant'],
    [
      'EMA-10 another redirect_uri',
      async () => a.redeem(await newCode(), { redirect_uri: 'https://app.test/cb' }),
      'invalid_grant',
    ],
    [
      'EMA-17 no secret',
      async () => a.redeem(await newCode(), { client_secret: '' }),
      'invalid_client',
    ],
    [
      'EMA-17 a wrong secret',
      async () => a.redeem(await newCode(), { client_secret: 'wrong' }),
      'invalid_client',
    ],
  ])('%s', async (_what, attempt, error) => {
    expect((await attempt())['error']).toBe(error);
  });

  it('EMA-07: a verifier without a challenge is refused', async () => {
    const { answer } = await a.ask(user, {
      code_challenge: undefined,
      code_challenge_method: undefined,
    });
    expect((await a.redeem(answer?.get('code') ?? ''))['error']).toBe('invalid_grant');
  });

  it('EMA-08: works once, 50 at once, and a second use ends what the first one gave', async () => {
    const code = await newCode({ scope: 'openid offline_access' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => a.redeem(code)));
    const [given, another] = answers.filter((answer) => 'id_token' in answer);
    expect(another).toBeUndefined();
    const again = await a.token({
      grant_type: 'refresh_token',
      refresh_token: String(given?.['refresh_token']),
    });
    expect(again['error']).toBe('invalid_grant');
  });

  it('EMA-11: expires', async () => {
    const code = await newCode();
    h.clock.advance(60_000);
    expect((await a.redeem(code))['error']).toBe('invalid_grant');
  });
});

describe('a refresh token of a client', () => {
  it('rotates; a second use ends the family, and another client gets nothing', async () => {
    const first = await a.signIn(ALICE, { scope: 'openid offline_access' });
    const refresh = (client: CodeClient, token: unknown) =>
      client.token({ grant_type: 'refresh_token', refresh_token: String(token) });
    expect((await refresh(b, first['refresh_token']))['error']).toBe('invalid_grant');
    const second = await refresh(a, first['refresh_token']);
    expect(claimsOf(second['id_token'])['aud']).toBe('a');
    expect((await refresh(a, first['refresh_token']))['error']).toBe('invalid_grant');
    expect((await refresh(a, second['refresh_token']))['error']).toBe('invalid_grant');
  });
});

describe('an exchange by policy', () => {
  let idToken: unknown;
  beforeEach(async () => {
    idToken = (await a.signIn(ALICE))['id_token'];
  });

  it('EMA-20, EMA-32 to EMA-35, EMA-37: mints an ID-JAG for one service, at once', async () => {
    const { body, headers, status } = await exchange(idToken, { scope: 'api.read' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.any(String),
      issued_token_type: ID_JAG_TOKEN_TYPE,
      token_type: 'N_A',
      expires_in: 300,
      scope: 'api.read',
    });
    const idJag = body['access_token'];
    expect(decodeProtectedHeader(String(idJag)).typ).toBe('oauth-id-jag+jwt');
    const { exp, iat, ...claims } = claimsOf(idJag);
    expect(Number(exp) - Number(iat)).toBe(300);
    expect(claims).toMatchObject({
      iss: ISSUER,
      aud: AUDIENCE,
      client_id: 'a',
      resource: RESOURCE,
      scope: 'api.read',
    });
  });

  it('EMA-21: takes a refresh token of this client as the subject', async () => {
    const { refresh_token: token } = await a.signIn(ALICE, { scope: 'openid offline_access' });
    const by = { subject_token_type: REFRESH_TOKEN_TYPE };
    expect((await exchange(token, by)).status).toBe(200);
    expect((await exchange(token, { ...by, ...B })).body['error']).toBe('invalid_grant');
    expect((await exchange('unknown', by)).body['error']).toBe('invalid_grant');
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['EMA-22 of another client', B, 'invalid_grant'],
    ['EMA-23 without a secret', { client_secret: undefined }, 'invalid_client'],
    ['EMA-27 no requested_token_type', { requested_token_type: undefined }, 'invalid_request'],
    ['EMA-27 no audience', { audience: undefined }, 'invalid_request'],
    ['EMA-27 no subject_token', { subject_token: undefined }, 'invalid_request'],
    ['EMA-27 no subject_token_type', { subject_token_type: undefined }, 'invalid_request'],
    ['EMA-28 another audience', { audience: 'https://other.test' }, 'invalid_target'],
    ['EMA-28 a suffix', { audience: `${AUDIENCE}.evil.test` }, 'invalid_target'],
    ['EMA-29 a resource of another', { resource: 'https://other.test/mcp' }, 'invalid_target'],
    ['EMA-29 a fragment', { resource: `${RESOURCE}#x` }, 'invalid_target'],
    ['EMA-41 half an actor', { actor_token: 'x' }, 'invalid_request'],
  ])('is refused: %s', async (_what, more, error) => {
    expect((await exchange(idToken, more)).body['error']).toBe(error);
  });

  it('EMA-24 to EMA-26: takes nothing else that it signed, and nothing that was altered', async () => {
    const { access_token: accessToken } = await a.signIn(ALICE);
    const { access_token: idJag } = (await exchange(idToken)).body;
    const [, payload] = String(idToken).split('.');
    const unsigned = `${btoa('{"alg":"none"}')}.${payload}.`;
    const altered = `${String(idToken).slice(0, -4)}AAAA`;
    for (const subject of [accessToken, idJag, altered, unsigned]) {
      expect((await exchange(subject)).body['error']).toBe('invalid_grant');
    }
    h.clock.advance(24 * 3_600_000);
    expect((await exchange(idToken)).body['error']).toBe('invalid_grant');
    expect(
      (await exchange(idJag, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' })).body[
        'error'
      ],
    ).toBe('unsupported_grant_type');
  });

  it('D-2: mints for the registered issuer where the request differs by a final slash', async () => {
    const slashed = { audience: `${AUDIENCE}/`, resource: `${AUDIENCE}/` };
    const { body } = await exchange(idToken, slashed);
    expect(claimsOf(body['access_token'])).toMatchObject({ aud: AUDIENCE, resource: AUDIENCE });
  });

  it('EMA-40: never ignores a proof of possession', async () => {
    expect((await exchange(idToken, {}, { dpop: 'x.y.z' })).body['error']).toBe(
      'invalid_dpop_proof',
    );
  });

  it('an empty code beside it changes nothing', async () => {
    expect((await exchange(idToken, { code: '' })).status).toBe(200);
  });

  it('EMA-30, EMA-31, EMA-45: follows its rules by user, group, client and service', async () => {
    await start({
      users: [{ email: 'bob@example.com', groups: ['guests'] }],
      policy: [
        { group: 'guests', refuse: 'access_denied' },
        { user: ALICE, client: 'a', audience: AUDIENCE, scopes: ['api.read'] },
      ],
    });
    const of = async (email: string) => (await a.signIn(email))['id_token'];
    const narrowed = (await exchange(await of(ALICE), { scope: 'api.read api.write' })).body;
    expect([narrowed['scope'], claimsOf(narrowed['access_token'])['scope']]).toEqual([
      'api.read',
      'api.read',
    ]);
    expect((await exchange(await of(ALICE), { scope: 'api.write' })).body['error']).toBe(
      'invalid_scope',
    );
    expect((await exchange(await of('bob@example.com'))).body['error']).toBe('access_denied');
  });

  it('decides about each resource, and refuses a request that could mean a refused one', async () => {
    const [one, two] = [`${AUDIENCE}/one`, `${AUDIENCE}/two`];
    const policy = [
      { resource: one, scopes: ['r', 'w'] },
      { resource: two, scopes: ['r'] },
      { user: 'Alice@Example.COM', resource: RESOURCE, refuse: 'access_denied' as const },
    ];
    await start({ policy });
    const { id_token } = await a.signIn(ALICE);
    const granted = async (resource: string | undefined) => {
      const { body } = await exchange(id_token, { resource, scope: 'r w' });
      return body['error'] ?? body['scope'];
    };
    expect(await granted(one)).toBe('r w');
    expect(await granted(two)).toBe('r');
    expect(await granted(RESOURCE)).toBe('access_denied');
    expect(await granted(undefined)).toBe('access_denied');
  });

  it('D-19: lets no client take the name of the agent, whose users are asked', async () => {
    const agent = `${ISSUER}/agent-auth.json`;
    await start({ clientMapping: [{ client: 'a', audience: AUDIENCE, id: agent }] });
    const { body } = await exchange((await a.signIn(ALICE))['id_token']);
    expect(body['error']).toBe('unauthorized_client');
  });

  it('EMA-35: names the client as the service knows it', async () => {
    await start({ clientMapping: [{ client: 'a', audience: AUDIENCE, id: 'a-there' }] });
    const { body } = await exchange((await a.signIn(ALICE))['id_token']);
    expect(claimsOf(body['access_token'])['client_id']).toBe('a-there');
  });

  it('D-4: refuses a client that has no id at the service, where it is told to', async () => {
    await start({
      refuseUnmapped: true,
      clientMapping: [{ client: 'a', audience: 'https://other.example', id: 'a-there' }],
    });
    const { body } = await exchange((await a.signIn(ALICE))['id_token']);
    expect(body['error']).toBe('unauthorized_client');
  });

  it('D-19: asks the user of a client that is set so, and for each client', async () => {
    await start({
      clients: CLIENTS.map((each) => ({ ...each, consent: 'ask' })),
      clientMapping: [{ client: 'a', audience: AUDIENCE, id: 'a-there' }],
      policy: [{ refuse: 'access_denied' }],
    });
    const signIn = async (client: CodeClient) => (await client.signIn(ALICE))['id_token'];
    const [ofA, ofB] = [await signIn(a), await signIn(b)];
    const asked = await exchange(ofA);
    expect(asked.body).toMatchObject({
      error: 'consent_required',
      consent_uri: expect.stringContaining('/consent?request='),
    });
    const [request] = await h.provider.controls.consentRequests();
    expect(request).toMatchObject({ client: 'a', email: ALICE, state: 'open' });
    await h.provider.controls.decideConsent(request?.id ?? '', 'approve');
    const { body } = await exchange(ofA);
    expect(claimsOf(body['access_token'])['client_id']).toBe('a-there');
    expect((await exchange(ofB, B)).body['error']).toBe('consent_required');
    expect((await h.mint(await h.signIn(ALICE))).body['error']).toBe('consent_required');
    const page = await user.open(`${ISSUER}/consents`);
    expect(page.text).toContain('a has to ask you again');
    await user.submit(page, '/consents', { action: 'revoke' });
    expect((await exchange(ofA)).body['error']).toBe('consent_required');
    // The service would end what the agent and other clients have, too.
    expect(await h.provider.outbox.list()).toEqual([]);
  });

  it('D-19: the agent still asks its user', async () => {
    const { body } = await h.mint(await h.signIn(ALICE));
    expect(body['error']).toBe('consent_required');
  });
});
