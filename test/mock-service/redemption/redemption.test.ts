import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { JWT_BEARER_GRANT } from '../../../src/protocol/constants.ts';
import { BASE, Harness, PROVIDER } from '../harness.ts';

const CLIENT = { id: 'client-a', secret: 'test:secret%' };
const OTHER = { id: 'https://c.example/x', secret: 'another' };

let h: Harness;

beforeEach(async () => {
  h = await Harness.start({ clients: [CLIENT, OTHER] });
});

const forClient = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  h.provider.idJag(
    {
      client_id: CLIENT.id,
      resource: `${BASE}/api/resource`,
      scope: 'api.read',
      ...claims,
    },
    header,
  );

const basic = ({ id, secret }: { id: string; secret: string }) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

interface Redemption {
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

const redeem = (
  assertion: string,
  { fields = {}, headers = { authorization: basic(CLIENT) } }: Redemption = {},
) =>
  h.send('POST', '/oauth2/token', {
    body: new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion, ...fields }),
    headers,
  });

const post = (client: { id: string; secret: string }) => ({
  fields: { client_id: client.id, client_secret: client.secret },
  headers: {},
});

describe('an ID-JAG at the token endpoint', () => {
  it('EMA-49, EMA-80, EMA-81: gets an access token for its resource, and no refresh token', async () => {
    const { body, headers, status } = await redeem(await forClient());
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'api.read',
      resource: `${BASE}/api/resource`,
    });
    expect(headers.get('cache-control')).toBe('no-store');
    const call = await h.call(body['access_token']);
    expect(call.body).toMatchObject({
      client_id: CLIENT.id,
      user: { iss: PROVIDER, sub: 'user-1', email: 'alice@example.com' },
    });
  });

  it.each([
    ['EMA-50 typ', () => forClient({}, { typ: 'JWT' })],
    ['EMA-52 signature', async () => `${(await forClient()).slice(0, -4)}AAAA`],
    ['EMA-56 aud with a suffix', () => forClient({ aud: `${BASE}.evil` })],
    ['EMA-56 aud that is the endpoint', () => forClient({ aud: `${BASE}/oauth2/token` })],
    ['EMA-57 two aud', () => forClient({ aud: [BASE, 'https://other.test'] })],
    ['EMA-57 aud twice', () => forClient({ aud: [BASE, BASE] })],
    ['EMA-57 no aud', () => forClient({ aud: [] })],
    ['EMA-61 client_id of another', () => forClient({ client_id: OTHER.id })],
    ['EMA-61 client_id missing', () => forClient({ client_id: undefined })],
    ['EMA-61 client_id as a list', () => forClient({ client_id: [CLIENT.id] })],
    ['EMA-63 expired', () => forClient({ exp: h.provider.now - 61 })],
    ['EMA-63 exp as text', () => forClient({ exp: String(h.provider.now + 300) })],
    ['EMA-64 iat ahead', () => forClient({ iat: h.provider.now + 600, exp: h.provider.now + 900 })],
    ['EMA-64 iat missing', () => forClient({ iat: undefined })],
    ['EMA-65 nbf ahead', () => forClient({ nbf: h.provider.now + 600 })],
    ['EMA-66 a year', () => forClient({ exp: h.provider.now + 31_536_000 })],
    ['EMA-67 jti empty', () => forClient({ jti: '' })],
    ['EMA-67 jti an object', () => forClient({ jti: {} })],
    ['EMA-67 jti of 10 kB', () => forClient({ jti: 'j'.repeat(10_000) })],
    ['EMA-71 sub missing', () => forClient({ sub: undefined })],
    ['EMA-73 resource of another', () => forClient({ resource: 'https://other.test/api' })],
    [
      'EMA-76 one resource of another',
      () => forClient({ resource: [`${BASE}/api/resource`, 'https://other.test'] }),
    ],
    ['EMA-82 cnf', () => forClient({ cnf: { jkt: 'x' } })],
    ['EMA-83 authorization_details', () => forClient({ authorization_details: [{ type: 'x' }] })],
    ['a scope that nobody knows', () => forClient({ scope: 'unheard-of' })],
  ])('%s: invalid_grant, with one text', async (_what, make) => {
    const { body, status } = await redeem(await make());
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'invalid_grant',
      error_description: 'The grant is expired, revoked, superseded or unknown.',
    });
  });

  it('says in its log why, and on the wire nothing of it', async () => {
    const why = async (claims: Record<string, unknown>) => {
      await redeem(await forClient(claims));
      return h.log.entries.findLast(({ event }) => event === 'redemption.refused')?.fields;
    };
    expect(await why({ aud: `${BASE}/` })).toEqual({
      check: 'audience',
      claim: 'aud',
      expected: `${BASE} alone, without a final slash`,
      seen: `"${BASE}/"`,
    });
    expect(await why({ client_id: OTHER.id })).toEqual({
      check: 'client',
      claim: 'client_id',
      expected: CLIENT.id,
      seen: `"${OTHER.id}"`,
    });
    expect(await why({ resource: undefined })).toMatchObject({ check: 'target' });
    expect(await why({ typ: undefined, iss: PROVIDER, exp: 1 })).toMatchObject({
      check: 'expiry',
      claim: 'exp',
      seen: '1',
    });
  });

  it('EMA-58, EMA-84: takes aud as a list of one, and claims that it does not know', async () => {
    expect((await redeem(await forClient({ aud: [BASE], 'x-other': { y: 1 } }))).status).toBe(200);
  });

  it('EMA-54: fetches nothing for an issuer that is not trusted', async () => {
    const assertion = await forClient({ iss: 'https://stranger.test' });
    expect((await redeem(assertion, post(CLIENT))).body['error']).toBe('invalid_grant');
    expect((await redeem('no-jwt', post(CLIENT))).body['error']).toBe('invalid_grant');
    expect((await redeem(assertion, { headers: {} })).body['error']).toBe('invalid_grant');
    expect(h.provider.fetches).toBe(0);
  });

  it('EMA-62, EMA-68, EMA-70: a jti is spent by its own redemption alone, for its issuer', async () => {
    const assertion = await forClient();
    expect((await redeem(assertion, post(OTHER))).body['error']).toBe('invalid_grant');
    expect((await redeem(assertion)).status).toBe(200);
    expect((await redeem(assertion)).body['error']).toBe('invalid_grant');
  });

  it('EMA-70: the same jti of two providers is two', async () => {
    const jwksUri = `${PROVIDER}/.well-known/jwks.json`;
    const another = 'https://another-provider.test';
    h = await Harness.start({ trust: [PROVIDER, another].map((issuer) => ({ issuer, jwksUri })) });
    const ofBoth = [PROVIDER, another].map((iss) => forClient({ iss, jti: 'the-same' }));
    for (const assertion of ofBoth) expect((await redeem(await assertion)).status).toBe(200);
  });

  it('EMA-69: 50 at once, one token', async () => {
    const assertion = await forClient();
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('shares its memory of jti with registration, in both directions', async () => {
    const once = await h.provider.idJag({ client_id: PROVIDER });
    expect(
      (
        await h.register({
          type: 'identity_assertion',
          assertion_type: 'urn:ietf:params:oauth:token-type:id-jag',
          assertion: once,
        })
      ).status,
    ).toBe(200);
    h = await Harness.start();
    const again = await h.provider.idJag({ client_id: PROVIDER, resource: BASE });
    expect((await redeem(again, post({ id: PROVIDER, secret: 'x' }))).status).toBe(200);
    const { body } = await h.register({
      type: 'identity_assertion',
      assertion_type: 'urn:ietf:params:oauth:token-type:id-jag',
      assertion: again,
    });
    expect(body['error']).toBe('replay_detected');
  });

  it('D-1: idJagReuse takes it again', async () => {
    h = await Harness.start({ clients: [CLIENT], idJagReuse: true });
    const assertion = await forClient();
    expect([(await redeem(assertion)).status, (await redeem(assertion)).status]).toEqual([
      200, 200,
    ]);
  });

  it('EMA-72: links no account by an email of another issuer', async () => {
    await h.user().openSignedIn(`${BASE}/connections`, 'alice@example.com');
    const { body } = await redeem(await forClient());
    expect((await h.call(body['access_token'])).body['user']).toEqual({
      iss: PROVIDER,
      sub: 'user-1',
    });
  });

  it('refuses a subject without an account where none are made', async () => {
    h = await Harness.start({ clients: [CLIENT], jitAccounts: false });
    expect((await redeem(await forClient())).body['error']).toBe('invalid_grant');
  });

  it('D-20, EMA-86: keys that cannot be fetched are 503, and the ID-JAG is good afterwards', async () => {
    h.provider.reachable = false;
    const assertion = await forClient();
    const { headers, status } = await redeem(assertion);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    h.provider.reachable = true;
    await h.clock.advance(10_000);
    expect((await redeem(assertion)).status).toBe(200);
  });
});

describe('the resource and the scopes of a redemption', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>, unknown]>([
    ['EMA-77 a scope beyond the claim', {}, { scope: 'api.read api.write' }, 'api.read'],
    ['EMA-78 no scope parameter', { scope: 'api.read api.write' }, {}, 'api.read api.write'],
    ['EMA-79 no scope claim', { scope: undefined }, {}, 'api.read'],
    ['a narrower scope', { scope: 'api.read api.write' }, { scope: 'api.write' }, 'api.write'],
  ])('%s', async (_what, claims, fields, scope) => {
    const { body } = await redeem(await forClient(claims), { fields });
    expect(body['scope']).toBe(scope);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ['EMA-75 beyond the claim', {}, { resource: `${BASE}/api/other` }, 'invalid_target'],
    ['of another server', {}, { resource: 'https://other.test/' }, 'invalid_target'],
    [
      'one of several is not named',
      { resource: [BASE, `${BASE}/api/resource`] },
      {},
      'invalid_target',
    ],
    ['a scope wholly outside the claim', {}, { scope: 'api.write' }, 'invalid_scope'],
  ])('%s', async (_what, claims, fields, error) => {
    expect((await redeem(await forClient(claims), { fields })).body['error']).toBe(error);
  });

  it('D-3: without a resource claim the parameter says which: there are the API and /mcp', async () => {
    const named = await redeem(await forClient({ resource: undefined }), {
      fields: { resource: `${BASE}/api/resource` },
    });
    expect(named.body['resource']).toBe(`${BASE}/api/resource`);
    const unnamed = await redeem(await forClient({ resource: undefined }));
    expect(unnamed.body['error']).toBe('invalid_target');
  });

  it('EMA-74, EMA-97: a token for the base opens no /mcp, and one for /mcp no API', async () => {
    const tokenFor = async (resource: string) =>
      (await redeem(await forClient({ resource, scope: 'api.read' }))).body['access_token'];
    const initialize = (token: unknown, call: object = { method: 'initialize' }) =>
      h.send('POST', '/mcp', {
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
        headers: {
          authorization: `Bearer ${String(token)}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
      });
    const [base, mcp] = [await tokenFor(BASE), await tokenFor(`${BASE}/mcp`)];
    expect([(await h.call(base)).status, (await initialize(base)).status]).toEqual([200, 401]);
    expect((await h.call(mcp)).status).toBe(401);
    const params = { name: 'write_note', arguments: {} };
    const refused = await initialize(mcp, { method: 'tools/call', params });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", scope="api.read api.write"`,
    );
  });

  it('EMA-74: a token for one resource opens no other', async () => {
    h = await Harness.start({ clients: [CLIENT], resources: [{ path: '/one' }, { path: '/two' }] });
    const assertion = await h.provider.idJag({ client_id: CLIENT.id, resource: `${BASE}/one` });
    const { body } = await redeem(assertion);
    const statuses = ['/one', '/two'].map((path) => h.call(body['access_token'], 'GET', path));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 401]);
  });
});

describe('members of answers by configuration', () => {
  it('are another, more or fewer, for a user, a client or a resource; the token stays what it is', async () => {
    h = await Harness.start({
      clients: [CLIENT, OTHER],
      claims: [
        { of: 'token_response', claims: { token_type: 'DPoP', x: 'all' }, omit: ['scope'] },
        { of: 'token_response', client: OTHER.id, claims: { x: 'other' } },
        { of: 'token_response', user: 'Bob@Example.com', omit: ['expires_in'] },
        { of: 'token_response', audience: `${BASE}/mcp`, claims: { x: 'mcp' } },
        { of: 'introspection', claims: { active: 'yes' }, omit: ['aud'] },
      ],
    });
    const alice = (await redeem(await forClient())).body;
    expect(alice).toEqual({
      access_token: expect.any(String),
      token_type: 'DPoP',
      expires_in: 3600,
      resource: `${BASE}/api/resource`,
      x: 'all',
    });
    const bob = { sub: 'bob', email: 'bob@example.com' };
    const ofOther = await forClient({ ...bob, client_id: OTHER.id });
    expect((await redeem(ofOther, post(OTHER))).body).toMatchObject({ x: 'other' });
    const { body } = await redeem(await forClient({ ...bob, resource: `${BASE}/mcp` }));
    expect(body).toMatchObject({ x: 'mcp' });
    expect(body).not.toHaveProperty('expires_in');
    expect((await h.call(alice['access_token'])).status).toBe(200);
    const inspected = await h.send('POST', '/oauth2/introspect', {
      body: new URLSearchParams({ token: String(alice['access_token']) }),
      headers: { authorization: basic(CLIENT) },
    });
    expect(inspected.body).toMatchObject({ active: 'yes', scope: 'api.read' });
    expect(inspected.body).not.toHaveProperty('aud');
  });
});

describe('the client of a redemption', () => {
  it.each<[string, Redemption, number]>([
    ['EMA-59 none', { headers: {} }, 401],
    ['EMA-59 its id alone', { fields: { client_id: CLIENT.id }, headers: {} }, 401],
    ['EMA-59 a wrong secret', post({ ...CLIENT, secret: 'wrong' }), 401],
    ['EMA-59 unknown', post({ id: 'nobody', secret: 'x' }), 401],
    [
      'EMA-88 two ways',
      {
        fields: { client_secret: CLIENT.secret, client_id: CLIENT.id },
        headers: { authorization: basic(CLIENT) },
      },
      400,
    ],
    ['by post', post(CLIENT), 200],
    [
      'D-21 basic that is not encoded',
      { headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` } },
      200,
    ],
    [
      'an empty code beside it',
      { ...post(CLIENT), fields: { ...post(CLIENT).fields, code: '' } },
      200,
    ],
  ])('%s', async (_what, how, status) => {
    expect((await redeem(await forClient(), how)).status).toBe(status);
  });

  it('EMA-89: decodes basic credentials', async () => {
    const assertion = await forClient({ client_id: OTHER.id });
    expect((await redeem(assertion, { headers: { authorization: basic(OTHER) } })).status).toBe(
      200,
    );
  });

  it('is anybody who shows something where none is configured, and public by choice alone', async () => {
    const alone = { fields: { client_id: CLIENT.id }, headers: {} };
    h = await Harness.start();
    expect((await redeem(await forClient(), alone)).status).toBe(401);
    expect(
      (await redeem(await forClient(), post({ id: CLIENT.id, secret: 'whatever' }))).status,
    ).toBe(200);
    // D-5: once, however many come.
    await redeem(await forClient(), post({ id: CLIENT.id, secret: 'another' }));
    expect(h.log.entries.filter(({ event }) => event === 'clients.open')).toHaveLength(1);
    h = await Harness.start({ allowPublic: true });
    expect((await redeem(await forClient(), alone)).status).toBe(200);
  });

  it('private_key_jwt: its own key, this server, once', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'c' }] };
    h = await Harness.start({ clients: [{ id: 'keyed', keys }] });
    let serial = 0;
    const assert = (claims: Record<string, unknown> = {}, key = privateKey) => {
      serial += 1;
      return new SignJWT({
        iss: 'keyed',
        sub: 'keyed',
        aud: BASE,
        jti: `c${serial}`,
        exp: h.provider.now + 60,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'c' })
        .sign(key);
    };
    const by = async (client_assertion: string) => {
      const fields = {
        client_assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      };
      return (await redeem(await forClient({ client_id: 'keyed' }), { fields, headers: {} }))
        .status;
    };
    const good = await assert();
    const stranger = await generateKeyPair('ES256');
    expect(await by(good)).toBe(200);
    expect(await by(good)).toBe(401);
    expect(await by(await assert({ aud: `${BASE}/oauth2/token` }))).toBe(200);
    expect(await by(await assert({ aud: 'https://other.test' }))).toBe(401);
    expect(await by(await assert({ jti: undefined }))).toBe(401);
    expect(await by(await assert({ exp: h.provider.now - 1 }))).toBe(401);
    expect(await by(await assert({}, stranger.privateKey))).toBe(401);
  });

  it.each([
    [{ id: 'a' }, 'a has neither a secret nor keys'],
    [{ id: 'a', secret: 'é' }, 'printable ASCII'],
    [
      { id: 'a', keys: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] } },
      'public keys',
    ],
    [{ id: 'a', secret: 'b', methods: ['private_key_jwt' as const] }, 'nothing to authenticate by'],
  ])('is refused at the start where it is wrong: %j', async (client, text) => {
    await expect(Harness.start({ clients: [client] })).rejects.toThrow(text);
  });
});

describe('the end of a token', () => {
  const isOpen = async (token: unknown) => (await h.call(token)).status === 200;
  const revoke = (token: unknown, { fields = {}, headers = {} }: Redemption = post(CLIENT)) =>
    h.send('POST', '/oauth2/revoke', {
      body: new URLSearchParams({ token: String(token), ...fields }),
      headers,
    });

  it('RFC 7009 §2.1: its own client revokes it', async () => {
    const { access_token: token } = (await redeem(await forClient())).body;
    expect((await revoke(token, {})).status).toBe(401);
    expect((await revoke(token, post(OTHER))).status).toBe(200);
    expect(await isOpen(token)).toBe(true);
    expect((await revoke(token)).status).toBe(200);
    expect(await isOpen(token)).toBe(false);
    expect((await revoke(token)).status).toBe(200);
  });

  it('an event that revokes the subject ends it, and none of a later ID-JAG', async () => {
    const older = (await redeem(await forClient())).body['access_token'];
    const event = await h.provider.event({ iat: h.provider.now });
    await h.clock.advance(2000);
    const newer = (await redeem(await forClient())).body['access_token'];
    const headers = { 'content-type': 'application/secevent+jwt' };
    const sent = await h.send('POST', '/agent/event/notify', { body: event, headers });
    expect(sent.status).toBe(202);
    expect([await isOpen(older), await isOpen(newer)]).toEqual([false, true]);
  });
});

describe('introspection', () => {
  it('tells a client that authenticates what a token is good for', async () => {
    const { body } = await redeem(await forClient());
    const ask = (
      token: string,
      headers = { authorization: basic(CLIENT) } as Record<string, string>,
    ) => h.send('POST', '/oauth2/introspect', { body: new URLSearchParams({ token }), headers });
    expect((await ask(String(body['access_token']))).body).toEqual({
      active: true,
      scope: 'api.read',
      client_id: CLIENT.id,
      token_type: 'Bearer',
      iat: h.provider.now,
      exp: h.provider.now + 3600,
      sub: expect.stringMatching(/^usr_/),
      aud: `${BASE}/api/resource`,
      iss: BASE,
      email: 'alice@example.com',
    });
    expect((await ask('unknown')).body).toEqual({ active: false });
    expect((await ask(String(body['access_token']), {})).status).toBe(401);
  });
});

describe('metadata for clients of cross-app access', () => {
  it('EMA-47, EMA-48, D-11: has what MCP clients read', async () => {
    const { body } = await h.send('GET', '/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      authorization_endpoint: `${BASE}/oauth2/authorize`,
      introspection_endpoint: `${BASE}/oauth2/introspect`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    });
    const page = await h.send(
      'GET',
      '/oauth2/authorize?client_id=x&redirect_uri=https://evil.test',
    );
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(String(page.body['text'])).toContain('unauthorized_client');
  });
});
