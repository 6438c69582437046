import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { Provider, type ProviderContext } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../src/mock/http/serve.ts';
import {
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  JWT_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/constants.ts';
import { silentLog } from '../../src/runtime/index.ts';
import { createMockService, type MockService } from '../../src/testing/mock-service.ts';
import { REDIRECT } from '../support/code-client.ts';
import { TestUser } from '../support/test-user.ts';
import { CONNECTS, type Connect, type CrossAppClient } from './cross-app-client.ts';

const ALICE = { accountId: 'alice-at-the-provider', email: 'alice@example.com' };
const SECRET = 'a-test-secret';
type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** The provider as its users set it up: all that is ours is the grant, which the package does not have. */
async function startProvider(keys: Keys): Promise<{ issuer: string; server: Server }> {
  let handle: RequestListener = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), kid: 'the-key', alg: 'RS256' }] },
    cookies: { keys: ['a-test-value'] },
    features: { devInteractions: { enabled: false } },
    clients: [
      {
        client_id: 'app',
        client_secret: SECRET,
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', TOKEN_EXCHANGE_GRANT],
      },
    ],
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email: ALICE.email }),
    }),
    loadExistingGrant: async ({ oidc }: ProviderContext) => {
      const { client, provider: own, session } = oidc;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    interactions: { url: () => '/sign-in' },
  });
  const parameters = ['requested_token_type', 'audience', 'resource', 'scope', 'subject_token'];
  provider.registerGrantType(
    TOKEN_EXCHANGE_GRANT,
    async (context) => {
      const { client, params } = context.oidc;
      const expected = { issuer, audience: client.clientId };
      const { payload } = await jwtVerify(
        String(params['subject_token']),
        keys.publicKey,
        expected,
      );
      const { audience, resource, scope } = params;
      const claims = { client_id: client.clientId, resource, scope, aud: audience };
      context.body = {
        issued_token_type: ID_JAG_TOKEN_TYPE,
        token_type: 'N_A',
        expires_in: 300,
        access_token: await idJag(issuer, keys, { ...claims, sub: payload.sub }),
      };
    },
    [...parameters, 'subject_token_type'],
  );
  const answer = provider.callback();
  handle = (request, response) =>
    void (request.url?.startsWith('/sign-in')
      ? provider.interactionFinished(request, response, { login: ALICE })
      : answer(request, response));
  return { issuer, server };
}

function idJag(issuer: string, { privateKey }: Keys, claims: object): Promise<string> {
  return new SignJWT({ ...claims, jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'RS256', typ: JWT_TYPE.idJag, kid: 'the-key' })
    .setIssuer(issuer)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
}

describe('oidc-provider as the provider of the mock service, which is told its issuer alone', () => {
  let keys: Keys;
  let started: Awaited<ReturnType<typeof startProvider>>;
  let service: MockService;
  let served: Served;

  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true });
    started = await startProvider(keys);
    served = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async (origin) => {
        service = await createMockService({ baseUrl: origin, trust: [{ issuer: started.issuer }] });
        return service.fetch;
      },
    });
  });
  afterAll(async () => {
    await served.close();
    await service.close();
    started.server.closeAllConnections();
    await new Promise((resolve) => started.server.close(resolve));
  });

  const connect = (issuer: string): Promise<CrossAppClient> =>
    (CONNECTS['openid-client'] as Connect)(issuer, {
      id: 'app',
      method: 'client_secret_basic',
      secret: SECRET,
    });

  /** The browser of a user who is signed in without a page, up to the client. */
  async function visit(url: string): Promise<string> {
    const user = new TestUser((request) => fetch(request));
    let at = url;
    while (!at.startsWith(REDIRECT)) {
      const location = (await user.request(at)).headers.get('location');
      if (location === null) throw new Error(`There is no way on from ${at}.`);
      at = new URL(location, at).href;
    }
    return at;
  }

  it('redeems what it mints for a user who signed in there, once', async () => {
    const atProvider = await connect(started.issuer);
    const { claims, idToken } = await atProvider.signIn(visit);
    expect(claims).toMatchObject({ iss: started.issuer, aud: 'app', sub: ALICE.accountId });
    const resource = `${service.issuer}/mcp`;
    const minted = await atProvider.exchange({
      requested_token_type: ID_JAG_TOKEN_TYPE,
      audience: service.issuer,
      resource,
      scope: 'api.read',
      subject_token: idToken,
      subject_token_type: ID_TOKEN_TYPE,
    });
    const atService = await connect(service.issuer);
    const redeem = () => atService.redeem({ assertion: String(minted['access_token']) });
    const { access_token: token } = await redeem();
    expect(await atService.introspect(String(token))).toMatchObject({
      active: true,
      client_id: 'app',
      scope: 'api.read',
      aud: resource,
    });
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });

  it('refuses what another key has signed in its name', async () => {
    const stranger = await generateKeyPair('RS256');
    const claims = { client_id: 'app', aud: service.issuer, sub: ALICE.accountId };
    const resource = `${service.issuer}/mcp`;
    const by = (signer: Keys) => idJag(started.issuer, signer, { ...claims, resource });
    const atService = await connect(service.issuer);
    await expect(atService.redeem({ assertion: await by(stranger) })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await atService.redeem({ assertion: await by(keys) })).toMatchObject({ resource });
  });
});
