import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import type { TaskClient } from '../../../src/conformance/agent/agent-task.ts';
import { type Json, type Kit, type Reply, Stop } from './agent-kit.ts';
import { namedMetadata } from './find-service.ts';

const URN = 'urn:ietf:params:oauth';
const ASM = '/.well-known/oauth-authorization-server';

/** What is kept of cross-app access, by resource. */
export interface Connected {
  token?: string;
  idJag?: string;
  issuer?: string;
}

interface Found {
  readonly resource: string;
  readonly issuer: string;
  readonly token: string;
}

const random = () => randomBytes(16).toString('base64url');

/** Signs the user in, gets an ID-JAG, redeems it, and calls an MCP server. */
export async function connect(kit: Kit, kept: Connected, save: () => void): Promise<number> {
  const { context } = kit;
  const [here, there] = [context.client_at_provider, context.client_at_service];
  if (here === undefined || there === undefined) throw new Stop('There are no clients.');
  let scopes: readonly string[] = ['api.read'];
  for (let tries = 0; ; tries += 1) {
    if (kept.token === undefined) {
      const found = await findServer(kit, kept);
      if (found.issuer !== there.issuer && !kit.is('trustsAnyServer')) {
        throw new Stop('The credentials are of another server.');
      }
      const idJag =
        (kit.is('redeemsAgain') ? kept.idJag : undefined) ??
        (await getIdJag(kit, here, found, scopes));
      kept.idJag = idJag;
      save();
      kept.token = await redeem(kit, there, found, idJag);
      save();
      if (kit.is('printsToken')) kit.say(kept.token);
    }
    const reply = await initialize(kit, kept.token);
    if (reply.status === 200) return 0;
    delete kept.token;
    save();
    const challenge = reply.headers.get('www-authenticate') ?? '';
    const needed = /scope="([^"]*)"/.exec(challenge)?.[1]?.split(' ') ?? [];
    const most = kit.is('stepsForEver') ? 20 : 2;
    if (tries >= most || kit.is('givesUpOnEnd') || (reply.status === 401 && tries > 0))
      throw await kit.refused(reply);
    if (reply.status === 403)
      scopes = kit.is('dropsScopes') ? needed : [...new Set([...scopes, ...needed])];
  }
}

function initialize(kit: Kit, token: string): Promise<Reply> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1' },
  };
  return kit.send(kit.context.resource, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}

async function findServer(kit: Kit, kept: Connected): Promise<Found> {
  const { resource } = kit.context;
  const challenge = await kit.send(resource, { method: 'POST', body: '{}' });
  const { json } = await kit.send(kit.checkUrl(namedMetadata(kit, challenge)));
  const [issuer] = (json?.['authorization_servers'] ?? []) as readonly unknown[];
  const document = await metadataOf(kit, kit.checkUrl(issuer), 'ignoresServiceIssuer');
  const found = String(json?.['resource']);
  kept.issuer = String(issuer);
  return {
    resource: kit.is('addsSlash') ? new URL(found).href : found,
    issuer: kept.issuer,
    token: kit.checkUrl(document['token_endpoint']),
  };
}

async function metadataOf(
  kit: Kit,
  issuer: string,
  lax: 'ignoresServiceIssuer' | 'ignoresProviderIssuer',
): Promise<Json> {
  const { json } = await kit.send(kit.checkUrl(issuer) + ASM);
  if (json === undefined) throw new Stop('There is no metadata of the server.');
  if (json['issuer'] !== issuer && !kit.is(lax)) throw new Stop('It is of another issuer.');
  return json;
}

function post(kit: Kit, url: string, client: TaskClient, form: Readonly<Record<string, string>>) {
  const { client_id, client_secret } = client;
  return kit.postForm(url, { ...form, client_id, client_secret });
}

async function getIdJag(
  kit: Kit,
  client: TaskClient,
  found: Found,
  scopes: readonly string[],
): Promise<string> {
  const issuer = String(kit.context.provider);
  const document = await metadataOf(kit, issuer, 'ignoresProviderIssuer');
  const endpoint = kit.checkUrl(document['token_endpoint']);
  let age: number | undefined;
  let idToken = await signIn(kit, document, client);
  for (let tries = 0; ; tries += 1) {
    const reply = await post(kit, endpoint, client, {
      grant_type: `${URN}:grant-type:token-exchange`,
      requested_token_type: `${URN}:token-type:id-jag`,
      audience: kit.is('mintsForResource') ? found.resource : found.issuer,
      resource: found.resource,
      scope: scopes.join(' '),
      subject_token: idToken,
      subject_token_type: `${URN}:token-type:id_token`,
      ...(kit.is('sendsBothSecrets') && {
        other_secret: String(kit.context.client_at_service?.client_secret),
      }),
    });
    if (reply.status === 200) return checked(kit, reply, found);
    const error = kit.errorOf(reply);
    const most = kit.is('renewsForEver') ? 10 : 1;
    const renews = ['invalid_grant', 'insufficient_user_authentication'].includes(error ?? '');
    const repeats = error === 'access_denied' && kit.is('repeatsDenied');
    if (tries >= most || !(renews || repeats) || kit.is('neverRenews'))
      throw await kit.refused(reply);
    age = kit.is('ignoresMaxAge') ? undefined : (reply.json?.['max_age'] as number | undefined);
    idToken = await signIn(kit, document, client, age);
  }
}

/** The ID-JAG, if it is what was asked for. */
function checked(kit: Kit, { json }: Reply, found: Found): string {
  const idJag = String(json?.['access_token']);
  const isOne = json?.['issued_token_type'] === `${URN}:token-type:id-jag`;
  if (!isOne && !kit.is('takesAnyToken')) throw new Stop('That is no ID-JAG.');
  const { aud, client_id: client, resource } = decodeJwt(idJag);
  if (aud !== found.issuer && !kit.is('ignoresAudience'))
    throw new Stop('It is for another server.');
  if (resource !== found.resource && !kit.is('ignoresIdJagResource'))
    throw new Stop('It is for another resource.');
  if (client !== kit.context.client_at_service?.client_id && !kit.is('ignoresIdJagClient'))
    throw new Stop('It is of another client.');
  return idJag;
}

async function redeem(kit: Kit, client: TaskClient, found: Found, idJag: string): Promise<string> {
  if (kit.is('bearsIdJag')) {
    await initialize(kit, idJag);
  }
  const form = { grant_type: `${URN}:grant-type:jwt-bearer`, assertion: idJag };
  const send = () => post(kit, found.token, client, form);
  const reply = kit.is('noRedemption') ? undefined : await send();
  const token = reply?.json?.['access_token'];
  if (reply === undefined || typeof token !== 'string') throw new Stop('The ID-JAG was refused.');
  return kit.is('neverConnects') ? `${token}x` : token;
}

async function signIn(kit: Kit, document: Json, client: TaskClient, age?: number): Promise<string> {
  const methods = document['code_challenge_methods_supported'];
  const knowsS256 = Array.isArray(methods) && methods.includes('S256');
  if (!knowsS256 && !kit.is('ignoresMethods')) throw new Stop('It does not know S256.');
  const [nonce, verifier] = [random(), random() + random()];
  const state = kit.is('repeatsState') ? 'the-same-each-time' : random();
  const { redirect, led } = await kit.tools.listen();
  const url = new URL(kit.checkUrl(document['authorization_endpoint']));
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirect,
    scope: 'openid email',
    state,
    ...(!kit.is('sendsNoNonce') && { nonce }),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(age !== undefined && { max_age: String(age) }),
    ...(kit.is('verifierInUrl') && { code_verifier: verifier }),
  }).toString();
  await kit.tools.open(url.href);
  const answer = led();
  if (answer === undefined) throw new Stop('Nobody signed in.');
  const query = answer.searchParams;
  if (query.get('state') !== state && !kit.is('ignoresState')) throw new Stop('Another state.');
  if (query.get('iss') !== document['issuer'] && !kit.is('ignoresRedirectIssuer'))
    throw new Stop('Another iss.');
  const reply = await post(kit, kit.checkUrl(document['token_endpoint']), client, {
    grant_type: 'authorization_code',
    code: String(query.get('code')),
    redirect_uri: redirect,
    code_verifier: verifier,
  });
  const idToken = reply.json?.['id_token'];
  if (typeof idToken !== 'string') throw await kit.refused(reply);
  await validate(kit, document, idToken, { client, nonce });
  return idToken;
}

async function validate(
  kit: Kit,
  document: Json,
  idToken: string,
  { client, nonce }: { readonly client: TaskClient; readonly nonce: string },
): Promise<void> {
  const claims = decodeJwt(idToken);
  if (claims['nonce'] !== nonce && !kit.is('ignoresNonce') && !kit.is('sendsNoNonce'))
    throw new Stop('Another nonce.');
  if (claims.aud !== client.client_id && !kit.is('ignoresIdTokenAudience'))
    throw new Stop('For another client.');
  if (claims.iss !== document['issuer'] && !kit.is('ignoresIdTokenIssuer'))
    throw new Stop('Of another issuer.');
  const now = kit.tools.clock.now();
  if (Number(claims.exp) * 1000 <= now && !kit.is('ignoresIdTokenEnd'))
    throw new Stop('It is over.');
  if (kit.is('ignoresSignature')) return;
  const keys = await kit.send(kit.checkUrl(document['jwks_uri']));
  const set = createLocalJWKSet(keys.json as unknown as JSONWebKeySet);
  // Its times are judged above, each by its own rule.
  const currentDate = new Date(Number(claims.iat) * 1000);
  await jwtVerify(idToken, set, { currentDate }).catch(() => {
    throw new Stop('The signature is wrong.');
  });
}
