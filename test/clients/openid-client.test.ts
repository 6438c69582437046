import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeJwt, ID_JAG_TOKEN_TYPE, ID_TOKEN_TYPE } from '../../src/protocol/index.ts';
import { ALICE, World, withMovedTime } from './world.ts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';

withMovedTime();

let world: World;
beforeEach(async () => {
  world = await World.create({
    provider: 'https://provider.test',
    service: 'https://service.test',
  });
});
afterEach(() => world.close());

/** As its documentation has it; nothing is patched but where requests go. */
function discover(issuer: string, algorithm: 'oidc' | 'oauth2', clientId = 'agent-auth') {
  return client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    algorithm,
    [client.customFetch]: world.fetch,
    // Verifies the signature of each ID token too, which may be left out at a token endpoint.
    execute: [client.enableNonRepudiationChecks],
  });
}

/** Signs Alice in; she approves while the client polls for the third time. */
async function signIn(config: client.Configuration, parameters: Record<string, string> = {}) {
  const device = await client.initiateDeviceAuthorization(config, {
    scope: 'openid profile email phone',
    ...parameters,
  });
  world.onPoll = async (number) => {
    if (number === 3) await world.approve(device.verification_uri_complete);
  };
  return client.pollDeviceAuthorizationGrant(config, device);
}

const exchange = (config: client.Configuration, idToken: string | undefined) =>
  client.genericGrantRequest(config, TOKEN_EXCHANGE, {
    requested_token_type: ID_JAG_TOKEN_TYPE,
    audience: world.service.issuer,
    subject_token: String(idToken),
    subject_token_type: ID_TOKEN_TYPE,
  });

const agentAuthOf = (config: client.Configuration) =>
  config.serverMetadata()['agent_auth'] as Readonly<Record<string, unknown>>;

describe.each(['oidc', 'oauth2'] as const)('openid-client at the provider, found by %s', (how) => {
  it('signs its user in by device code, and believes the ID token', async () => {
    const tokens = await signIn(await discover(world.provider.issuer, how));
    expect(world.polls).toBe(3);
    expect(tokens.claims()).toMatchObject({
      iss: world.provider.issuer,
      aud: 'agent-auth',
      email: ALICE.email,
      email_verified: true,
    });
    expect(tokens.expiresIn()).toBe(3600);
  });

  it('reads the user info, whose subject is that of the ID token', async () => {
    const config = await discover(world.provider.issuer, how);
    const tokens = await signIn(config);
    const sub = tokens.claims()?.sub ?? '';
    expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toEqual({
      sub,
      name: ALICE.name,
      email: ALICE.email,
      email_verified: true,
      phone_number: ALICE.phone,
      phone_number_verified: true,
    });
    await expect(client.fetchUserInfo(config, 'unknown', sub)).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  it('exchanges the ID token for an ID-JAG, once its user has consented', async () => {
    const config = await discover(world.provider.issuer, how);
    const { id_token } = await signIn(config);
    const refusal: unknown = await exchange(config, id_token).catch((error: unknown) => error);
    if (!(refusal instanceof client.ResponseBodyError)) throw refusal;
    expect(refusal.error).toBe('consent_required');
    await world.consent(refusal.cause['consent_uri']);
    const { access_token, issued_token_type, token_type } = await exchange(config, id_token);
    expect([issued_token_type, token_type]).toEqual([ID_JAG_TOKEN_TYPE, 'n_a']);
    expect(decodeJwt(access_token)?.payload['aud']).toBe(world.service.issuer);
  });
});

describe('openid-client at the service', () => {
  it('goes from an ID-JAG to an access token, calls with it, and revokes it', async () => {
    const provider = await discover(world.provider.issuer, 'oidc');
    const { id_token } = await signIn(provider, { audience: world.service.issuer });
    const { access_token: idJag } = await exchange(provider, id_token);
    const service = await discover(world.service.issuer, 'oauth2');
    const identityEndpoint = String(agentAuthOf(service)['identity_endpoint']);
    const assertion = await world.register(identityEndpoint, idJag);

    const { access_token, scope } = await client.genericGrantRequest(service, JWT_BEARER, {
      assertion,
    });
    expect(scope).toBe('api.read api.write');
    const call = () =>
      client.fetchProtectedResource(
        service,
        access_token,
        new URL(`${world.service.issuer}/api/resource`),
        'GET',
      );
    expect((await call()).status).toBe(200);
    await client.tokenRevocation(service, access_token);
    await expect(call()).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  it('polls the claim grant as an extension grant until the claim completes', async () => {
    const service = await discover(world.service.issuer, 'oauth2', 'any-agent');
    const { claimToken, complete } = await world.startClaim(agentAuthOf(service));
    const poll = () => client.genericGrantRequest(service, CLAIM, { claim_token: claimToken });
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 });
    await complete();
    const collected = await poll();
    expect(collected.scope).toBe('api.read api.write');
    expect(typeof collected['identity_assertion']).toBe('string');
  });
});
