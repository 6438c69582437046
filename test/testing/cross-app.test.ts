import { createHash } from 'node:crypto';
import { setupServer } from 'msw/node';
import { onTestFinished } from 'vitest';
import { decodeJwt } from '../../src/protocol/jwt.ts';
import { mswHandlers } from '../../src/testing/msw.ts';
import { createTestWorld, startTestWorld, type TestWorld } from '../../src/testing/testing.ts';
import { expect, it } from '../../src/testing/vitest.ts';

const CLIENT = { id: 'app', secret: 'a-test-secret', redirectUris: ['https://app.example/back'] };
const SERVICE = 'https://service.example';
const CLIENTS = {
  clients: [CLIENT],
  clientMapping: [{ client: 'app', audience: SERVICE, id: 'app-there' }],
  policy: [{ client: 'app', scopes: ['api.read'] }],
};

async function post(
  fetch: TestWorld['fetch'],
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return (await response.json()) as Record<string, unknown>;
}

function exchange({ fetch, provider, service }: TestWorld, idToken: string, clientId = 'app') {
  return post(fetch, `${provider.issuer}/oauth2/token`, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_token: idToken,
    audience: service.issuer,
    resource: service.issuer,
    scope: 'api.read api.write',
    client_id: clientId,
    client_secret: CLIENT.secret,
  });
}

it('signs a user in to a client of both mocks, up to the access token that policy allows', async () => {
  const world = await createTestWorld(CLIENTS);
  const { idToken, refreshToken } = await world.signIn({ email: 'bob@example.com' });
  expect(decodeJwt(idToken)?.payload).toMatchObject({ aud: 'app', email: 'bob@example.com' });
  expect(refreshToken).toEqual(expect.any(String));
  const minted = String((await exchange(world, idToken))['access_token']);
  const wanted = {
    client: 'app-there',
    resource: SERVICE,
    scope: 'api.read',
    user: 'bob@example.com',
  };
  expect(minted).toBeIdJagFor(SERVICE, wanted);
  await expect(minted).toBeIdJagFor(SERVICE, { ...wanted, by: world.provider });
  expect(() => expect(minted).toBeIdJagFor(SERVICE, { ...wanted, client: 'app' })).toThrow(
    'But its client_id is "app-there", not "app".',
  );
  expect(() => expect(minted).toBeIdJagFor(SERVICE, { scope: 'api.write' })).toThrow(
    'But its scope is "api.read", not "api.write".',
  );
  expect(() => expect(minted).toBeIdJagFor(SERVICE, { resource: `${SERVICE}/mcp` })).toThrow(
    `But its resource is "${SERVICE}", not "${SERVICE}/mcp".`,
  );
  expect(() => expect(minted).not.toBeIdJagFor(SERVICE, { clients: 'app' } as object)).toThrow(
    'there is no "clients"',
  );
  expect(
    await post(world.fetch, `${SERVICE}/oauth2/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: minted,
      client_id: 'app-there',
      client_secret: CLIENT.secret,
    }),
  ).toMatchObject({ scope: 'api.read', token_type: 'Bearer' });
});

it('signs in to any client where none is configured, and over HTTP', async () => {
  const world = await startTestWorld();
  onTestFinished(() => world.close());
  const { clientId, idToken, refreshToken } = await world.signIn({ scope: 'openid' });
  expect(decodeJwt(idToken)?.payload).toMatchObject({ aud: clientId });
  expect(refreshToken).toBeUndefined();
});

it('says which clients there are, and what the provider said', async () => {
  const world = await createTestWorld(CLIENTS);
  await expect(world.signIn({ client: 'other' })).rejects.toThrow(
    'There is no client "other" in the test world: app.',
  );
  await expect(world.signIn({ scope: 'email' })).rejects.toThrow('invalid_scope');
});

it('lets the routes of cross-app access answer behind MSW', async () => {
  const world = await createTestWorld(CLIENTS);
  const server = setupServer(...mswHandlers(world));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  const { issuer } = world.provider;
  const metadata = await fetch(`${issuer}/.well-known/openid-configuration`);
  expect(await metadata.json()).toMatchObject({ issuer });
  const authorize = new URL(`${issuer}/oauth2/authorize`);
  authorize.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'app', scope: 'openid', prompt: 'none' },
    ...{ redirect_uri: 'https://app.example/back', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
  }).toString();
  const sent = await fetch(authorize, { redirect: 'manual' });
  expect(sent.headers.get('location')).toContain('error=login_required');
  const introspected = await post(fetch, `${SERVICE}/oauth2/introspect`, {
    ...{ token: 'x', client_id: 'app-there', client_secret: CLIENT.secret },
  });
  expect(introspected).toEqual({ active: false });
  const mcp = await fetch(`${SERVICE}/mcp`, { method: 'POST' });
  expect(mcp.status).toBe(401);
  expect(mcp.headers.get('www-authenticate')).toContain('resource_metadata=');
});
