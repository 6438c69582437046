import { type Json, type Kit, type Reply, Stop } from './agent-kit.ts';

export interface FoundService {
  readonly issuer: string;
  readonly resource: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly identity: string;
  readonly claim: string;
  readonly token: string;
  readonly revoke: string | undefined;
  readonly skill: string | undefined;
  readonly claimGrant: string;
}

const PRM = '/.well-known/oauth-protected-resource';
const ASM = '/.well-known/oauth-authorization-server';

/** Two hops: from the challenge to the metadata of the resource, and to that of its server. */
export async function findService(kit: Kit): Promise<FoundService> {
  const { resource: wanted, service } = kit.context;
  if (kit.is('skipsChallenge')) return readResource(kit, service + PRM, service);
  const { pathname, origin } = new URL(wanted);
  const challenge = await kit.send(wanted);
  const named = challenge.status === 401 ? namedMetadata(kit, challenge) : undefined;
  const isRead = /^https?:/.test(named ?? '') || kit.is('readsFiles') || kit.is('readsDataUrls');
  // What is no URL of the web is left unread, and the well-known place is asked.
  return readResource(kit, (isRead && named) || origin + PRM + pathname, wanted);
}

export function namedMetadata(kit: Kit, { headers }: Reply): string | undefined {
  const field = headers.get('www-authenticate') ?? '';
  if (kit.is('readsFirstChallenge') && !/^bearer/i.test(field)) return undefined;
  const pattern = /(?:^|[\s,])bearer\s.*?resource_metadata=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/i;
  const [, quoted, plain] = pattern.exec(field) ?? [];
  return quoted ?? (kit.is('readsQuotedOnly') ? undefined : plain);
}

async function getJson(kit: Kit, url: string): Promise<Reply> {
  if (url.startsWith('file:') && kit.is('readsFiles')) {
    const text = kit.tools.read(new URL(url).pathname.slice(1)) ?? '';
    return { status: 200, headers: new Headers(), text, json: JSON.parse(text) as Json };
  }
  if (url.startsWith('data:') && kit.is('readsDataUrls')) {
    const text = decodeURIComponent(url.slice(url.indexOf(',') + 1));
    return { status: 200, headers: new Headers(), text, json: JSON.parse(text) as Json };
  }
  const method = kit.is('postsForMetadata') ? 'POST' : 'GET';
  return kit.send(kit.checkUrl(url), { method });
}

/** The metadata at a URL, if it is that of the wanted resource. */
export async function readResource(kit: Kit, url: string, wanted: string): Promise<FoundService> {
  const { status, json, text } = await getJson(kit, url);
  if (status !== 200 || json === undefined) throw new Stop('There is no metadata of the resource.');
  checkMembers(kit, json);
  checkResource(kit, json['resource'], wanted, text);
  const signed = kit.is('trustsSignedMetadata') ? claimsOf(json['signed_metadata']) : {};
  const servers = { ...json, ...signed }['authorization_servers'] ?? json['authorization_servers'];
  if (!Array.isArray(servers)) throw new Stop('The resource names no servers.');
  for (const server of servers.slice(0, 5)) {
    const document = await readServer(kit, kit.checkUrl(server));
    if (document === undefined) continue;
    const block = document['agent_auth'] as Json | undefined;
    if (kit.is('stopsAtMetadata')) throw new Stop('That is too much.');
    if (block !== undefined) return described(kit, json, document, block);
  }
  throw new Stop('No server takes agents.');
}

/** Members of protected resource metadata (RFC 9728 §2). */
const KNOWN: ReadonlySet<string> = new Set([
  'resource',
  'authorization_servers',
  'jwks_uri',
  'scopes_supported',
  'bearer_methods_supported',
  'resource_signing_alg_values_supported',
  'resource_name',
  'resource_documentation',
  'resource_policy_uri',
  'resource_tos_uri',
  'tls_client_certificate_bound_access_tokens',
  'authorization_details_types_supported',
  'dpop_signing_alg_values_supported',
  'dpop_bound_access_tokens_required',
  'signed_metadata',
]);

function checkMembers(kit: Kit, json: Json): void {
  if (kit.is('strictMembers') && Object.keys(json).some((name) => !KNOWN.has(name))) {
    throw new Stop('There is an unknown member.');
  }
}

function checkResource(kit: Kit, given: unknown, wanted: string, text: string): void {
  if (kit.is('ignoresResource')) return;
  if (typeof given !== 'string') throw new Stop('The metadata names no resource.');
  const resource = kit.is('normalisesResource') ? decodeURI(given) : given;
  if (kit.is('comparesRawJson') && !text.includes(`"${given}"`))
    throw new Stop('Another resource.');
  if (resource === wanted) return;
  const isPrefix =
    !kit.is('exactResourceOnly') &&
    (wanted.startsWith(`${resource}/`) || (kit.is('prefixByText') && wanted.startsWith(resource)));
  if (!isPrefix) throw new Stop(`The metadata is of ${resource}.`);
}

function claimsOf(jwt: unknown): Json {
  const [, claims = ''] = typeof jwt === 'string' ? jwt.split('.') : [];
  return claims === '' ? {} : (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json);
}

async function readServer(kit: Kit, issuer: string): Promise<Json | undefined> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname;
  const places = [...new Set([origin + ASM + path, origin + ASM, issuer + ASM])];
  if (kit.is('appendsWellKnown') && path !== '') places.shift();
  for (const place of places) {
    const { status, json } = await getJson(kit, place);
    if (status === 404) continue;
    if (status !== 200 || json === undefined) throw new Stop('There is no metadata of the server.');
    const given = kit.is('coercesMembers') ? String(json['issuer']) : json['issuer'];
    const isBelow = kit.is('issuerByPrefix') && String(given).startsWith(issuer);
    if (isBelow || (kit.is('issuerByHost') && given === issuer.replace(/:\d+/, ''))) {
      return { ...json, issuer };
    }
    if (given !== issuer && !kit.is('ignoresIssuer')) {
      if (given !== `${issuer}/` && `${String(given)}/` !== issuer) {
        throw new Stop('The metadata is of another issuer.');
      }
      if (!kit.is('quietAboutSlash')) kit.warn(`It calls itself ${given}, not ${issuer}.`);
    }
    return json;
  }
  return undefined;
}

function described(kit: Kit, resource: Json, document: Json, block: Json): FoundService {
  const issuer = String(document['issuer']);
  const endpoint = (value: unknown): string => {
    const url = kit.checkUrl(value);
    const isOwn = new URL(url).origin === new URL(issuer).origin;
    if (!isOwn && !kit.is('postsAnywhere') && !kit.is('followsHttp')) {
      throw new Stop(`${url} is on another origin than ${issuer}.`);
    }
    return url;
  };
  const names = document['grant_types_supported'];
  if (!Array.isArray(names)) throw new Stop('The server names no grants.');
  return {
    issuer,
    resource: String(resource['resource']),
    name: String(resource['resource_name'] ?? issuer),
    scopes: (resource['scopes_supported'] as string[] | undefined) ?? [],
    identity: endpoint(block['identity_endpoint']),
    claim: endpoint(block['claim_endpoint']),
    token: endpoint(document['token_endpoint']),
    revoke: revocation(kit, document, endpoint),
    skill: typeof block['skill'] === 'string' ? block['skill'] : undefined,
    claimGrant: claimGrant(kit, block, names),
  };
}

function revocation(kit: Kit, document: Json, endpoint: (value: unknown) => string) {
  const given = document['revocation_endpoint'];
  if (kit.is('guessesRevocation')) return `${new URL(kit.context.service).origin}/oauth2/revoke`;
  return given === undefined ? undefined : endpoint(given);
}

function claimGrant(kit: Kit, block: Json, names: readonly unknown[]): string {
  if (kit.is('assumesVendor')) return 'urn:vendor:agent-auth:grant-type:claim';
  const named = block['claim_grant_type'];
  if (typeof named === 'string') return named;
  const endings = [':grant-type:claim', ':grant-type:claim_token'];
  const found = names.find((name) => endings.some((ending) => String(name).endsWith(ending)));
  return typeof found === 'string' ? found : 'urn:vendor:agent-auth:grant-type:claim';
}
