/**
 * The package `oidc-provider` as its users set it up, with a grant of their own for ID-JAGs: a right identity provider with
 * clients and a policy, or one with a single bug.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { errors, Provider, type ProviderContext } from 'oidc-provider';
import type { CrossAppGiven } from '../../../src/conformance/provider/cross-app/given.ts';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

const AUDIENCE = 'https://as.example.com';
/** Seconds. */
const OLDEST = 3600;

/** What is wrong with it, each alone. */
export const OIDC_BUGS = [
  'anyAudience',
  'anyClientsToken',
  'anyRedirect',
  'expiredIdJag',
  'idOfTheClientHere',
  'longLife',
  'secretKey',
  'silentNarrowing',
  'sharedSubject',
  'unverifiedToken',
] as const;
export type OidcBug = (typeof OIDC_BUGS)[number];

export const OIDC_CLIENTS: CrossAppGiven = {
  client: { id: 'app', secret: 'the secret of app' },
  other: { id: 'other-app', secret: 'the secret of the other' },
  redirectUri: 'http://127.0.0.1:4899/callback',
  audience: AUDIENCE,
  resource: `${AUDIENCE}/mcp`,
  clientIdThere: 'app-there',
  refusedEmail: 'refused@example.com',
};

export interface RunningIdentityProvider {
  readonly url: string;
  close(): Promise<void>;
}

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

export async function startOidc(bug?: OidcBug): Promise<RunningIdentityProvider> {
  const keys = await generateKeyPair('RS256', { extractable: true });
  let handle = (_request: IncomingMessage, _response: ServerResponse): void => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), kid: 'the-key', alg: 'RS256' }] },
    cookies: { keys: ['a-test-value'] },
    features: { devInteractions: { enabled: false }, dPoP: { enabled: false } },
    clients: [OIDC_CLIENTS.client, OIDC_CLIENTS.other].map((each) => ({
      client_id: each?.id,
      client_secret: each?.secret,
      redirect_uris: [OIDC_CLIENTS.redirectUri],
      grant_types: ['authorization_code', 'refresh_token', EXCHANGE],
      require_auth_time: true,
    })),
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    ttl: {
      AccessToken: 3600,
      Grant: 86_400,
      IdToken: 3 * 3600,
      Interaction: 3600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    discovery: { identity_chaining_requested_token_types_supported: [ID_JAG] },
  });
  if (bug === 'anyRedirect') provider.Client.prototype.redirectUriAllowed = () => true;
  provider.registerGrantType(EXCHANGE, (context) => exchange(context, { issuer, keys, bug }), [
    'requested_token_type',
    'audience',
    'resource',
    'scope',
    'subject_token',
    'subject_token_type',
    'actor_token',
    'actor_token_type',
  ]);
  const answer = provider.callback();
  handle = (request, response) =>
    void (request.url?.startsWith('/sign-in')
      ? interact(provider, request, response)
      : answer(request, response));
  return {
    url: issuer,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Its own pages: who are you, and do you agree. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { grantId, params, prompt, session } = await provider.interactionDetails(request, response);
  const isLogin = prompt.name === 'login';
  if (request.method !== 'POST') {
    const ask = isLogin
      ? '<label>Email <input type="email" name="email"></label><button>Sign in</button>'
      : '<button name="decision" value="approve">Approve</button>';
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><form method="post">${ask}</form>`);
    return;
  }
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (isLogin) {
    const accountId = new URLSearchParams(body).get('email') ?? '';
    return provider.interactionFinished(request, response, { login: { accountId } });
  }
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const of = { clientId: String(params['client_id']), accountId: session?.accountId ?? '' };
  const grant = known ?? new provider.Grant(of);
  grant.addOIDCScope(String(params['scope']));
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent });
}

interface Minting {
  readonly issuer: string;
  readonly keys: Keys;
  readonly bug: OidcBug | undefined;
}

const ALLOWED = ['tools.read'];

async function exchange(context: ProviderContext, { bug, issuer, keys }: Minting): Promise<void> {
  const { client, params } = context.oidc;
  const { audience, resource, scope, subject_token: token } = params;
  if (params['requested_token_type'] !== ID_JAG) throw new errors.InvalidRequest('no ID-JAG');
  if (params['subject_token_type'] !== ID_TOKEN) throw new errors.InvalidRequest('no ID token');
  if (token === undefined || audience === undefined) throw new errors.InvalidRequest('missing');
  if (params['actor_token'] ?? params['actor_token_type']) throw new errors.InvalidRequest('actor');
  const { auth_time: authTime, sub } = await subjectOf(token, client.clientId, {
    bug,
    issuer,
    keys,
  });
  const isOurs = audience === AUDIENCE || bug === 'anyAudience';
  const isPair = resource === undefined || resource === OIDC_CLIENTS.resource;
  if (!isOurs || !isPair) throw new errors.InvalidTarget('unknown audience or resource');
  if (sub === OIDC_CLIENTS.refusedEmail) throw new errors.AccessDenied('policy');
  if (Date.now() / 1000 - Number(authTime) > OLDEST) {
    context.status = 400;
    context.body = { error: 'insufficient_user_authentication', max_age: OLDEST };
    return;
  }
  const asked = scope?.split(' ');
  const granted = asked?.filter((each) => ALLOWED.includes(each)) ?? ALLOWED;
  if (granted.length === 0) throw new errors.InvalidScope('nothing is granted', scope ?? '');
  const life = bug === 'longLife' ? 7200 : 300;
  const there = client.clientId === 'app' ? OIDC_CLIENTS.clientIdThere : client.clientId;
  const issuedAt = Math.floor(Date.now() / 1000) - (bug === 'expiredIdJag' ? OLDEST : 0);
  const isSecret = bug === 'secretKey';
  const idJag = await new SignJWT({
    client_id: bug === 'idOfTheClientHere' ? client.clientId : there,
    resource,
    scope: granted.join(' '),
  })
    .setProtectedHeader({
      alg: isSecret ? 'HS256' : 'RS256',
      typ: 'oauth-id-jag+jwt',
      kid: 'the-key',
    })
    .setIssuer(issuer)
    .setSubject(bug === 'sharedSubject' ? 'somebody' : String(sub))
    .setAudience(audience)
    .setJti(crypto.randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + life)
    .sign(isSecret ? new Uint8Array(32) : keys.privateKey);
  context.body = {
    issued_token_type: ID_JAG,
    token_type: 'N_A',
    expires_in: life,
    access_token: idJag,
    ...(bug !== 'silentNarrowing' && { scope: granted.join(' ') }),
  };
}

async function subjectOf(token: string, clientId: string, { bug, issuer, keys }: Minting) {
  try {
    if (bug === 'unverifiedToken') {
      const [, claims = ''] = token.split('.');
      return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    }
    const audience = bug === 'anyClientsToken' ? ['app', 'other-app'] : clientId;
    return (await jwtVerify(token, keys.publicKey, { issuer, audience })).payload;
  } catch {
    throw new errors.InvalidGrant('the subject token is not good');
  }
}
