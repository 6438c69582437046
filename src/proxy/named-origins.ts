import { isJsonObject, mayReach, parsedUrl, urlProblem } from '../protocol/index.ts';

/** Members of discovery documents that an agent calls: RFC 9728 §2, RFC 8414 §2, and those of this protocol. */
const CALLED = new Set([
  'authorization_servers',
  'claim_endpoint',
  'claim_uri',
  'claim_url',
  'claims_url',
  'claim_complete_endpoint',
  'complete_endpoint',
  'complete_uri',
  'consent_revocation_endpoint',
  'device_authorization_endpoint',
  'identity_endpoint',
  'issuer',
  'register_endpoint',
  'register_uri',
  'register_url',
  'resource',
  'revocation_endpoint',
  'revocation_uri',
  'revocation_url',
  'token_endpoint',
]);
const MAX_DEPTH = 4;

/** The origins that an agent is led to by a discovery document; none by any other. */
export function namedOrigins(document: unknown): readonly string[] {
  if (!isJsonObject(document)) return [];
  const isDiscovery =
    'authorization_servers' in document ||
    'agent_auth' in document ||
    ('issuer' in document && 'token_endpoint' in document);
  return isDiscovery ? [...new Set(called(document, MAX_DEPTH))] : [];
}

function called(value: unknown, depth: number): readonly string[] {
  if (!isJsonObject(value) || depth === 0) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (!CALLED.has(name)) return called(member, depth - 1);
    return [member]
      .flat()
      .flatMap((url) => (typeof url === 'string' && isWeb(url) ? [new URL(url).origin] : []));
  });
}

function isWeb(url: string): boolean {
  return /^https?:$/.test(parsedUrl(url)?.protocol ?? '');
}

/**
 * Whether the proxy stands in front of an origin because a document names it. A server of the internet leads
 * nobody to this machine or its network, where its agent would not go either, but where its user allowed it.
 */
export function mayFront(origin: string, target: string, allowed: ReadonlySet<string>): boolean {
  if (allowed.has(origin)) return true;
  if (urlProblem(origin) !== undefined) return false;
  return mayReach(new URL(target).hostname, new URL(origin).hostname);
}
