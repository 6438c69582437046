import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { CONNECTS, type Connect } from './cross-app-client.ts';
import { ALICE, serveWorld } from './world.ts';

const CLIENT = {
  id: 'mcp-client',
  secret: 'a-test-secret',
  method: 'client_secret_basic',
} as const;

describe('the official MCP client with cross-app access', () => {
  it('signs its user in, exchanges, redeems, and calls a tool of /mcp', async () => {
    const { close, world } = await serveWorld();
    try {
      const atProvider = await (CONNECTS['openid-client'] as Connect)(
        world.provider.issuer,
        CLIENT,
      );
      const { idToken } = await atProvider.signIn(world.visit);
      const authProvider = new CrossAppAccessProvider({
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        expectedIssuer: world.service.issuer,
        assertion: async ({ authorizationServerUrl, fetchFn, resourceUrl, scope }) => {
          const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
            idpUrl: world.provider.issuer,
            audience: authorizationServerUrl,
            resource: resourceUrl,
            idToken,
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
