import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { TestUser } from '../support/test-user.ts';
import { ALICE, serveWorld, type World } from './world.ts';

const CLIENT = { id: 'mcp-client', secret: 'a-test-secret' };
const REDIRECT = 'http://127.0.0.1:9/callback';

/** The user signs in at a client by authorization code; the client checks the answer as it does everywhere. */
async function signIn({ provider }: World, scope = 'openid email') {
  const config = await oidc.discovery(
    new URL(provider.issuer),
    CLIENT.id,
    CLIENT.secret,
    undefined,
    {
      execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
    },
  );
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const user = new TestUser(provider.fetch);
  await user.openSignedIn(`${provider.issuer}/login`, ALICE.email);
  const location = (await user.request(url.href)).headers.get('location');
  const tokens = await oidc.authorizationCodeGrant(config, new URL(String(location)), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });
  return { config, tokens };
}

describe('the official MCP client with cross-app access', () => {
  it('signs its user in, exchanges, redeems, and calls a tool of /mcp', async () => {
    const { close, world } = await serveWorld();
    try {
      const { tokens } = await signIn(world);
      const authProvider = new CrossAppAccessProvider({
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        expectedIssuer: world.service.issuer,
        assertion: async ({ authorizationServerUrl, fetchFn, resourceUrl, scope }) => {
          const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
            idpUrl: world.provider.issuer,
            audience: authorizationServerUrl,
            resource: resourceUrl,
            idToken: String(tokens.id_token),
            clientId: CLIENT.id,
            clientSecret: CLIENT.secret,
            fetchFn,
            ...(scope !== undefined && { scope }),
          });
          return jwtAuthGrant;
        },
      });
      const url = new URL(`${world.service.issuer}/mcp`);
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['who_am_i', 'write_note']);
      const { structuredContent } = await client.callTool({ name: 'who_am_i', arguments: {} });
      expect(structuredContent).toMatchObject({
        client_id: CLIENT.id,
        user: { iss: world.provider.issuer, email: ALICE.email },
      });
      await client.close();
    } finally {
      await close();
    }
  });
});
