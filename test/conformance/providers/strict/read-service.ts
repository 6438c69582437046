import { Problem } from '../../services/support.ts';

/** What the provider has to know of a service before it mints for it. */
export interface KnownService {
  readonly issuer: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly eventsEndpoint: string;
  readonly eventType: string;
}

type Json = Readonly<Record<string, unknown>>;

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const WITHIN = 3000;

/**
 * Reads the metadata of a service, and takes it only when every field that the specification lists is there
 * and right (agent-registration.md, Discovery metadata).
 * @throws Problem `invalid_target` that says what is wrong.
 */
export async function readService(issuer: string): Promise<KnownService> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname;
  const server = await get(`${origin}/.well-known/oauth-authorization-server${path}`);
  const resource = await get(`${origin}/.well-known/oauth-protected-resource${path}`);
  must(resource['resource'] === issuer, 'resource of the resource metadata');
  must(list(resource['authorization_servers']).includes(issuer), 'authorization_servers');
  must(server['issuer'] === issuer, 'issuer');
  must(server['resource'] === issuer, 'resource');
  must(list(server['authorization_servers']).includes(issuer), 'authorization_servers');
  must(list(server['bearer_methods_supported']).includes('header'), 'bearer_methods_supported');
  must(list(server['grant_types_supported']).includes(JWT_BEARER), 'grant_types_supported');
  must(Array.isArray(server['response_types_supported']), 'response_types_supported');
  for (const name of ['token_endpoint', 'revocation_endpoint', 'jwks_uri'])
    own(server, name, origin);
  const block = server['agent_auth'];
  must(isObject(block), 'agent_auth');
  for (const name of ['skill', 'identity_endpoint', 'claim_endpoint', 'events_endpoint']) {
    own(block, name, origin);
  }
  must(list(block['identity_types_supported']).includes('identity_assertion'), 'identity types');
  const assertion = block['identity_assertion'];
  must(isObject(assertion), 'identity_assertion');
  must(list(assertion['assertion_types_supported']).includes(ID_JAG), 'assertion_types_supported');
  const eventType = list(block['events_supported']).find((type) =>
    type.endsWith('/identity/assertion/revoked'),
  );
  must(eventType !== undefined, 'events_supported');
  return {
    issuer,
    name: String(server['resource_name'] ?? new URL(issuer).host),
    scopes: list(server['scopes_supported']),
    eventsEndpoint: String(block['events_endpoint']),
    eventType,
  };
}

/** Whether a URL is a resource that its own metadata puts under this service. */
export async function isResourceOf(resource: string, { issuer }: KnownService): Promise<boolean> {
  if (!URL.canParse(resource)) return false;
  const { hash, origin, pathname, protocol } = new URL(resource);
  if (!/^https?:$/.test(protocol) || hash !== '' || origin !== new URL(issuer).origin) return false;
  const document = await get(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  return (
    document['resource'] === resource && list(document['authorization_servers']).includes(issuer)
  );
}

async function get(url: string): Promise<Json> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(WITHIN),
  }).catch(() => undefined);
  if (response === undefined) throw wrong(`${url} cannot be reached`);
  const body: unknown = response.status === 200 ? await response.json().catch(() => null) : null;
  if (!isObject(body)) throw wrong(`${url} answers ${response.status}, not metadata`);
  return body;
}

/** A URL of its own origin. */
function own(document: Json, name: string, origin: string): void {
  const value = document[name];
  const isOwn =
    typeof value === 'string' && URL.canParse(value) && new URL(value).origin === origin;
  must(isOwn, name);
}

function must(right: boolean, what: string): asserts right {
  if (!right) throw wrong(`${what} is missing or wrong`);
}

function wrong(what: string): Problem {
  return new Problem(400, 'invalid_target', `The metadata of the audience is not usable: ${what}.`);
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
