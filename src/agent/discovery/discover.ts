import {
  displayText,
  PROTECTED_RESOURCE_PATH,
  type ProtectedResourceMetadata,
  printableUrl,
  protectedResourceMetadataUrl,
  withoutFinalSlash,
  withoutQuery,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { Peer } from '../http/peer.ts';
import { requirePeerUrl, requireUrl } from '../http/url-policy.ts';
import type { Discovery, Service } from '../model.ts';
import type { Step } from '../next-step.ts';
import type { DiscoverTarget } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { askForChallenge, readChallenge } from './ask-for-challenge.ts';
import { findService, readService } from './find-service.ts';
import { Hops } from './hops.ts';
import { readResourceMetadata } from './resource-metadata.ts';

export async function discover(
  tools: Tools,
  target: DiscoverTarget,
  signal?: AbortSignal,
): Promise<Discovery> {
  const trail = new Hops(tools.policy.strict);
  try {
    const service = await walk(tools, target, trail, signal);
    return { service, hops: trail.hops, warnings: trail.warnings };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    throw error.with({ hops: trail.hops, ...goesOn(target, error) });
  }
}

/** Whatever host on the way failed: the address that was given is the one to look at. */
function goesOn(target: DiscoverTarget, { next }: AgentError): { readonly next?: Step } {
  if (next?.command !== 'doctor' || 'issuer' in target) return {};
  const given = 'resource' in target ? target.resource : target.address;
  return { next: { command: 'doctor', args: [printableUrl(given)] } };
}

async function walk(
  tools: Tools,
  target: DiscoverTarget,
  trail: Hops,
  signal: AbortSignal | undefined,
): Promise<Service> {
  if ('issuer' in target) return readService(tools, { issuer: target.issuer }, trail, signal);
  const given = 'resource' in target ? target.resource : target.address;
  requireUrl(given, 'The address');
  const isResource = 'resource' in target;
  const requested = identifierOf(given);
  const metadata = await findResourceMetadata(tools, target, trail, signal);
  if (metadata !== undefined) {
    const { resource, resource_name: name, authorization_servers: servers } = metadata;
    const namedBy = { resource, name: name === undefined ? undefined : displayText(name, 80) };
    return findService(tools, servers, namedBy, trail, signal);
  }
  if (!isResource) {
    return readService(tools, { issuer: requested, by: 'person' }, trail, signal);
  }
  throw new AgentError(`${displayText(given, 100)} publishes no protected resource metadata.`, {
    code: 'metadata_not_found',
    hint: 'Discover from the address of the service or of its issuer instead.',
  });
}

/**
 * An address as the identifier that a person meant by it: without a query, with the final slash that was
 * typed and no other.
 */
function identifierOf(given: string): string {
  const { origin, pathname } = new URL(given);
  return pathname === '/' && !withoutQuery(given).endsWith('/') ? origin : origin + pathname;
}

/**
 * Through the challenge of the address, when it is one that may challenge: it did so already, has a path,
 * or was named as a resource. Else at the well-known address that is derived from it, and after a 404 at the plain
 * and the appended one.
 */
async function findResourceMetadata(
  tools: Tools,
  target: Exclude<DiscoverTarget, { readonly issuer: string }>,
  trail: Hops,
  signal: AbortSignal | undefined,
): Promise<ProtectedResourceMetadata | undefined> {
  const peer = new Peer(tools.context);
  const typed = 'address' in target;
  const given = typed ? target.address : target.resource;
  const { challenge } = target;
  const url = new URL(given);
  if (!typed || challenge !== undefined || url.pathname !== '/') {
    const named =
      challenge === undefined
        ? await askForChallenge(peer, url.href, trail, signal)
        : readChallenge(url.href, challenge, trail);
    if (named !== undefined) {
      const metadataUrl = requirePeerUrl(named, 'The address in the challenge', given);
      const address = url.origin + url.pathname;
      const expected = { address, through: 'challenge', typed } as const;
      const found = await readResourceMetadata(peer, metadataUrl, expected, trail, signal);
      if (found !== undefined) return found;
    }
  }
  const address = identifierOf(given);
  for (const place of metadataPlaces(address)) {
    const expected = { address, through: 'address', typed } as const;
    const found = await readResourceMetadata(peer, place, expected, trail, signal);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of an address that ends in a slash as it is first (RFC 9728 §3.1), then without. */
function metadataPlaces(address: string): readonly string[] {
  const base = withoutFinalSlash(address);
  return [
    ...new Set([
      protectedResourceMetadataUrl(address),
      protectedResourceMetadataUrl(base),
      new URL(base).origin + PROTECTED_RESOURCE_PATH,
      base + PROTECTED_RESOURCE_PATH,
    ]),
  ];
}
