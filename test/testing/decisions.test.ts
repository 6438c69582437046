import { decodeJwt } from '../../src/protocol/jwt.ts';
import { createTestWorld, type TestWorld } from '../../src/testing/testing.ts';
import { expect, it } from '../../src/testing/vitest.ts';

const CLIENT = { id: 'app', secret: 'a-test-secret' };
const RESOURCE = 'https://service.example';

async function post(
  { fetch }: TestWorld,
  url: string,
  { id, secret }: { readonly id: string; readonly secret?: string },
  fields: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const secretly = secret === undefined ? {} : { client_secret: secret };
  const body = new URLSearchParams({ client_id: id, ...secretly, ...fields });
  const response = await fetch(url, { method: 'POST', body });
  return { status: response.status, ...((await response.json()) as object) };
}

type TestClient = Parameters<typeof post>[2];

function exchange(world: TestWorld, idToken: string, client: TestClient = CLIENT) {
  return post(world, `${world.provider.issuer}/oauth2/token`, client, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_token: idToken,
    audience: RESOURCE,
    resource: RESOURCE,
    scope: 'api.read api.write',
  });
}

async function redeem(world: TestWorld, client = CLIENT) {
  const assertion = await world.mintIdJag({ clientId: client.id, resources: [RESOURCE] });
  return post(world, `${RESOURCE}/oauth2/token`, client, {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  });
}

const isActive = async (world: TestWorld, token: unknown) =>
  (await post(world, `${RESOURCE}/oauth2/introspect`, CLIENT, { token: String(token) }))['active'];

it('decides what a client reaches while the provider runs, until the reset', async () => {
  const world = await createTestWorld({ clients: [CLIENT], policy: [] });
  const { controls } = world.provider;
  const { idToken } = await world.signIn({ email: 'bob@example.com' });
  await controls.setPolicy([
    { user: 'BOB@example.com', client: 'app', refuse: 'access_denied' },
    { scopes: ['api.read'] },
  ]);
  expect(await exchange(world, idToken)).toMatchObject({ status: 400, error: 'access_denied' });
  const alice = await world.signIn({ email: 'alice@example.com' });
  expect(await exchange(world, alice.idToken)).toMatchObject({ status: 200, scope: 'api.read' });
  await controls.setPolicy();
  expect(await controls.policy()).toEqual([]);
  expect(await exchange(world, idToken)).toMatchObject({ status: 200 });
  await controls.setPolicy([{ refuse: 'invalid_target' }]);
  await controls.reset();
  expect(await controls.policy()).toEqual([]);
  await expect(controls.setPolicy([{ user: 'nobody' }])).rejects.toThrow('policy.user');
});

it('knows a client as soon as it was added, and takes any again once the last one was removed', async () => {
  const world = await createTestWorld();
  const other = { id: 'other', secret: 'another-test-secret' };
  const { controls } = world.service;
  const methods = async () => {
    const answer = await world.fetch(`${RESOURCE}/.well-known/oauth-authorization-server`);
    return ((await answer.json()) as Record<string, unknown>)[
      'token_endpoint_auth_methods_supported'
    ];
  };
  expect(await redeem(world, other)).toMatchObject({ status: 200 });
  const open = await methods();
  await controls.setClient({ ...CLIENT, methods: ['client_secret_post'] });
  expect(await redeem(world, other)).toMatchObject({ status: 401, error: 'invalid_client' });
  expect(await redeem(world)).toMatchObject({ status: 200 });
  expect(await methods()).not.toEqual(open);
  await controls.setClient({ id: 'app', secret: 'the-next-test-secret' });
  expect(await redeem(world)).toMatchObject({ status: 401 });
  expect(await controls.removeClient('app')).toEqual([]);
  expect(await redeem(world, other)).toMatchObject({ status: 200 });
  expect(await methods()).toEqual(open);
  await expect(controls.removeClient('app')).rejects.toThrow('no such client');
  await expect(controls.setClient({ id: 'app' })).rejects.toThrow('neither a secret nor keys');
});

it('ends the tokens of a user or a client as an administrator does', async () => {
  const world = await createTestWorld({ clients: [CLIENT, { id: 'two', secret: 'two-secret' }] });
  const { access_token: token } = await redeem(world);
  const { access_token: second } = await redeem(world, { id: 'two', secret: 'two-secret' });
  // The email of an account that another provider's user has: this one's has none.
  expect(await world.service.controls.endTokens({ email: 'nobody@example.com' })).toBe(0);
  expect(await world.service.controls.endTokens({ clientId: 'app' })).toBe(1);
  expect([await isActive(world, token), await isActive(world, second)]).toEqual([false, true]);
  const call = await world.fetch(`${RESOURCE}/api/resource`, {
    headers: { authorization: `Bearer ${String(token)}` },
  });
  expect(call.status).toBe(401);
  const after = await redeem(world);
  expect(await isActive(world, after['access_token'])).toBe(true);
  expect(await world.service.controls.endTokens()).toBe(2);

  const { refreshToken } = await world.signIn({ email: 'bob@example.com' });
  const refresh = (given: unknown) =>
    post(world, `${world.provider.issuer}/oauth2/token`, CLIENT, {
      grant_type: 'refresh_token',
      refresh_token: String(given),
    });
  const refreshed = await refresh(refreshToken);
  expect(refreshed).toMatchObject({ status: 200 });
  const { controls } = world.provider;
  expect(await controls.endTokens({ email: 'alice@example.com' })).toBe(0);
  expect(await controls.endTokens({ email: 'Bob@example.com', clientId: 'app' })).toBe(3);
  expect(await refresh(refreshed['refresh_token'])).toMatchObject({ error: 'invalid_grant' });
  const info = await world.fetch(`${world.provider.issuer}/oauth2/userinfo`, {
    headers: { authorization: `Bearer ${String(refreshed['access_token'])}` },
  });
  expect(info.status).toBe(401);
});

it('ends the device codes of the client whose tokens it ends, and of no other', async () => {
  const world = await createTestWorld({ clients: [CLIENT, { id: 'two', secret: 'two-secret' }] });
  const { controls, issuer } = world.provider;
  const two = { id: 'two', secret: 'two-secret' };
  const start = (client: TestClient) =>
    post(world, `${issuer}/oauth2/device_authorization`, client, { scope: 'openid' });
  const [ofApp, ofTwo] = [await start(CLIENT), await start(two)];
  const poll = (client: TestClient, { device_code: code }: Record<string, unknown>) =>
    post(world, `${issuer}/oauth2/token`, client, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: String(code),
    });
  await controls.endTokens({ clientId: 'app' });
  expect(await poll(CLIENT, ofApp)).toMatchObject({ error: 'invalid_grant' });
  // Nobody has approved the other one: it is no user's.
  await controls.endTokens({ email: 'bob@example.com', clientId: 'two' });
  expect(await poll(two, ofTwo)).toMatchObject({ error: 'authorization_pending' });
});

it('signs a user in without a page, refuses each sign-in, and shows the page again', async () => {
  const world = await createTestWorld();
  const { controls } = world.provider;
  await controls.setSignIn({ kind: 'approve', email: 'Carol@example.com' });
  const { idToken } = await world.signIn({ email: 'bob@example.com' });
  expect(decodeJwt(idToken)?.payload['email']).toBe('carol@example.com');
  await controls.setSignIn({ kind: 'deny' });
  await expect(world.signIn()).rejects.toThrow('access_denied');
  await expect(controls.setSignIn({ kind: 'approve', email: 'carol' })).rejects.toThrow('email');
  await controls.reset();
  const bob = await world.signIn({ email: 'bob@example.com' });
  expect(decodeJwt(bob.idToken)?.payload['email']).toBe('bob@example.com');
});

it('signs in to a client that was added, and to none that was removed', async () => {
  const world = await createTestWorld({ clients: [CLIENT] });
  const { controls } = world.provider;
  await controls.setClient({ id: 'two', secret: 'two-secret' });
  expect((await world.signIn({ client: 'two' })).clientId).toBe('two');
  await controls.removeClient('app');
  await expect(world.signIn({ client: 'app' })).rejects.toThrow('There is no client "app"');
});

it('answers the question for consent in place of its user, or lets it expire', async () => {
  const world = await createTestWorld();
  const { controls } = world.provider;
  const { idToken } = await world.signIn({ client: 'agent-auth' });
  const ask = () => exchange(world, idToken, { id: 'agent-auth' });
  const open = async () => {
    expect(await ask()).toMatchObject({ error: 'consent_required' });
    const [request] = await controls.consentRequests();
    return request?.id ?? '';
  };
  const first = await open();
  expect(await controls.decideConsent(first, 'expire')).toMatchObject({ id: first });
  expect(await controls.consentRequests()).toEqual([]);
  await expect(controls.decideConsent(first, 'approve')).rejects.toThrow('it has expired');
  const second = await open();
  expect(second).not.toBe(first);
  expect(await controls.decideConsent(second, 'deny')).toMatchObject({ state: 'denied' });
  await expect(controls.decideConsent(second, 'approve')).rejects.toThrow('denied already');
  expect(await ask()).toMatchObject({ error: 'access_denied' });
  expect(await controls.decideConsent(await open(), 'approve')).toMatchObject({
    email: 'alice@example.com',
    state: 'approved',
  });
  expect(await ask()).toMatchObject({ status: 200 });
  const decided = (await controls.audit())
    .filter(({ action, actor }) => actor === 'control' && action.startsWith('consent.'))
    .map(({ action }) => action);
  expect(decided).toEqual(['consent.expired', 'consent.denied', 'consent.granted']);
});

it('follows what is decided while a fault has another configuration', async () => {
  const world = await createTestWorld({
    clients: [CLIENT],
    provider: { faults: ['noClientAuthentication'] },
  });
  const { controls } = world.provider;
  const { idToken } = await world.signIn();
  expect(await exchange(world, idToken)).toMatchObject({ status: 200 });
  await controls.setPolicy([{ refuse: 'access_denied' }]);
  expect(await exchange(world, idToken)).toMatchObject({ error: 'access_denied' });
  await controls.setClient({ id: 'two', secret: 'two-secret' });
  // The fault takes the new one without its secret, too.
  expect(await exchange(world, idToken, { id: 'two' })).toMatchObject({ error: 'invalid_grant' });
  await controls.removeClient('app');
  expect(await exchange(world, idToken)).toMatchObject({ error: 'invalid_client' });
});
