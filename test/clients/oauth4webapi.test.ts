import * as oauth from 'oauth4webapi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ID_JAG_TOKEN_TYPE, ID_TOKEN_TYPE } from '../../src/protocol/index.ts';
import { ALICE, serveWorld, World, withMovedTime } from './world.ts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';

const agent: oauth.Client = { client_id: 'agent-auth' };
const none = oauth.None();

interface Transport {
  readonly [oauth.allowInsecureRequests]?: boolean;
  readonly [oauth.customFetch]?: World['fetch'];
}

let world: World;
let transport: Transport;
let close = async () => {};

async function inProcess(): Promise<void> {
  world = await World.create({
    provider: 'https://provider.test',
    service: 'https://service.test',
  });
  transport = { [oauth.customFetch]: world.fetch };
  close = () => world.close();
}

async function overHttp(): Promise<void> {
  ({ world, close } = await serveWorld());
  transport = { [oauth.allowInsecureRequests]: true };
}

afterEach(() => close());

async function discover(issuer: string, algorithm: 'oidc' | 'oauth2') {
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, { algorithm, ...transport });
  return oauth.processDiscoveryResponse(url, response);
}

async function startDevice(as: oauth.AuthorizationServer, more: Record<string, string> = {}) {
  const parameters = { scope: 'openid profile email phone', ...more };
  const response = await oauth.deviceAuthorizationRequest(as, agent, none, parameters, transport);
  return oauth.processDeviceAuthorizationResponse(as, agent, response);
}

/** One poll, with the ID token's signature verified. */
async function poll(as: oauth.AuthorizationServer, deviceCode: string) {
  const response = await oauth.deviceCodeGrantRequest(as, agent, none, deviceCode, transport);
  const tokens = await oauth.processDeviceCodeResponse(as, agent, response);
  await oauth.validateApplicationLevelSignature(as, response, transport);
  return { tokens, claims: oauth.getValidatedIdTokenClaims(tokens) };
}

async function signIn(as: oauth.AuthorizationServer, more: Record<string, string> = {}) {
  const device = await startDevice(as, more);
  await world.approve(device.verification_uri_complete);
  return poll(as, device.device_code);
}

async function grant(
  as: oauth.AuthorizationServer,
  grantType: string,
  parameters: Record<string, string>,
) {
  const response = await oauth.genericTokenEndpointRequest(
    as,
    agent,
    none,
    grantType,
    parameters,
    transport,
  );
  return oauth.processGenericTokenEndpointResponse(as, agent, response, {
    // An ID-JAG is no access token (RFC 8693 §2.2.1): the client is told so by this option.
    recognizedTokenTypes: { n_a: () => {} },
  });
}

async function mint(as: oauth.AuthorizationServer): Promise<string> {
  const { tokens } = await signIn(as, { audience: world.service.issuer });
  const { access_token } = await grant(as, TOKEN_EXCHANGE, {
    requested_token_type: ID_JAG_TOKEN_TYPE,
    audience: world.service.issuer,
    subject_token: String(tokens.id_token),
    subject_token_type: ID_TOKEN_TYPE,
  });
  return access_token;
}

const agentAuthOf = (as: oauth.AuthorizationServer) =>
  as['agent_auth'] as Readonly<Record<string, unknown>>;

/** The whole way of an ID-JAG: from the metadata of both to a revoked access token. */
async function goTheWholeWay(algorithm: 'oidc' | 'oauth2'): Promise<void> {
  const provider = await discover(world.provider.issuer, algorithm);
  const service = await discover(world.service.issuer, 'oauth2');
  const identityEndpoint = String(agentAuthOf(service)['identity_endpoint']);
  const assertion = await world.register(identityEndpoint, await mint(provider));
  const { access_token, scope } = await grant(service, JWT_BEARER, { assertion });
  expect(scope).toBe('api.read api.write');

  const url = new URL(`${world.service.issuer}/api/resource`);
  const call = () =>
    oauth.protectedResourceRequest(access_token, 'GET', url, undefined, undefined, transport);
  expect((await call()).status).toBe(200);
  const revoked = await oauth.revocationRequest(service, agent, none, access_token, transport);
  expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
  await expect(call()).rejects.toMatchObject({
    cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
  });
}

describe('oauth4webapi', () => {
  withMovedTime();
  beforeEach(inProcess);

  it.each(['oidc', 'oauth2'] as const)(
    'signs a user in and reads the user info, the provider found by %s',
    async (algorithm) => {
      const as = await discover(world.provider.issuer, algorithm);
      const device = await startDevice(as);
      await expect(poll(as, device.device_code)).rejects.toMatchObject({
        error: 'authorization_pending',
      });
      await world.approve(device.verification_uri_complete);
      const { claims, tokens } = await poll(as, device.device_code);
      const response = await oauth.userInfoRequest(as, agent, tokens.access_token, transport);
      const sub = claims?.sub ?? '';
      expect(await oauth.processUserInfoResponse(as, agent, sub, response)).toMatchObject({
        sub: claims?.sub,
        name: ALICE.name,
        email: ALICE.email,
      });
    },
  );

  it.each(['oidc', 'oauth2'] as const)(
    'goes from a sign-in to a revoked access token, the provider found by %s',
    goTheWholeWay,
  );

  it('polls the claim grant until the claim completes', async () => {
    const service = await discover(world.service.issuer, 'oauth2');
    const { claimToken, complete } = await world.startClaim(agentAuthOf(service));
    const poll = () => grant(service, CLAIM, { claim_token: claimToken });
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 });
    await complete();
    expect(await poll()).toMatchObject({ token_type: 'bearer', scope: 'api.read api.write' });
  });

  it.each(['', '/api/resource'])('reads the metadata of the resource %s', async (path) => {
    const resource = new URL(world.service.issuer + path);
    const response = await oauth.resourceDiscoveryRequest(resource, transport);
    const metadata = await oauth.processResourceDiscoveryResponse(resource, response);
    expect(metadata.authorization_servers).toEqual([world.service.issuer]);
  });
});

describe('oauth4webapi over HTTP', () => {
  beforeEach(overHttp);

  it('goes from a sign-in to a revoked access token', () => goTheWholeWay('oidc'));
});
