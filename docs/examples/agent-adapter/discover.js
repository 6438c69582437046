// Two hops: from the 401 of the resource to its metadata, and to that of its authorization server.
import { ask, requireUrl } from './http.js';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
const CHALLENGE =
  /(?:^|[\s,])bearer\s(?:.*?[\s,])?resource_metadata=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/i;

/** @typedef {{ issuer: string, resource: string, identity: string, claim: string, token: string, revoke?: string, skill?: string, claimGrant: string }} Service */

/** @param {string} resource @returns {Promise<Service>} */
export async function discover(resource) {
  const { status, headers } = await ask(resource);
  const named = status === 401 ? metadataNamedBy(headers) : undefined;
  const { origin, pathname } = new URL(resource);
  return discoverFrom(named ?? origin + RESOURCE + pathname, resource);
}

/** @param {Headers} headers */
export function metadataNamedBy(headers) {
  const [, quoted, plain] = CHALLENGE.exec(headers.get('www-authenticate') ?? '') ?? [];
  return quoted ?? plain;
}

/** @param {string} url of the metadata @param {string} wanted @returns {Promise<Service>} */
export async function discoverFrom(url, wanted) {
  const { status, json } = await ask(url);
  if (status !== 200) throw new Error('There is no metadata of the resource.');
  const { resource } = json ?? {};
  const isOurs =
    typeof resource === 'string' && (resource === wanted || wanted.startsWith(`${resource}/`));
  if (!isOurs) throw new Error('The metadata is of another resource.');
  const servers = Object.hasOwn(json, 'authorization_servers') ? json.authorization_servers : [];
  for (const issuer of Array.isArray(servers) ? servers.slice(0, 5) : []) {
    const metadata = await serverMetadata(requireUrl(issuer));
    if (metadata?.agent_auth !== undefined) return describe(resource, issuer, metadata);
  }
  throw new Error('No authorization server of the resource takes agents.');
}

/** @param {string} issuer */
async function serverMetadata(issuer) {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname;
  for (const url of new Set([origin + SERVER + path, origin + SERVER, issuer + SERVER])) {
    const { status, json } = await ask(url);
    if (status === 404) continue;
    if (status !== 200 || json?.issuer !== issuer) break;
    return json;
  }
  throw new Error(`There is no metadata by the issuer ${issuer}.`);
}

/** @param {string} resource @param {string} issuer @param {any} metadata @returns {Service} */
function describe(resource, issuer, metadata) {
  /** Nothing is posted to another origin. @param {unknown} url */
  const own = (url) => {
    const endpoint = requireUrl(url);
    if (new URL(endpoint).origin === new URL(issuer).origin) return endpoint;
    throw new Error(`${endpoint} is on another origin than ${issuer}.`);
  };
  const { agent_auth: block, grant_types_supported: grants, revocation_endpoint: revoke } = metadata;
  const claimGrant =
    block.claim_grant_type ??
    grants?.find((/** @type {unknown} */ name) => /:grant-type:claim(_token)?$/.test(String(name)));
  return {
    issuer,
    resource,
    identity: own(block.identity_endpoint),
    claim: own(block.claim_endpoint),
    token: own(metadata.token_endpoint),
    claimGrant: String(claimGrant),
    skill: block.skill,
    ...(revoke !== undefined && { revoke: own(revoke) }),
  };
}
