import {
  displayText,
  PROTECTED_RESOURCE_PATH,
  type ProtectedResourceMetadata,
  protectedResourceMetadataUrl,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { requireAddress, requirePeerAddress } from '../http/address-policy.ts';
import { Peer } from '../http/peer.ts';
import type { Discovery, Service } from '../model.ts';
import type { DiscoverTarget } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { askForChallenge } from './ask-for-challenge.ts';
import { findService, readService } from './find-service.ts';
import { readResourceMetadata } from './resource-metadata.ts';
import { Trail } from './trail.ts';

export async function discover(
  tools: Tools,
  target: DiscoverTarget,
  signal?: AbortSignal,
): Promise<Discovery> {
  const trail = new Trail(tools.policy.strict);
  try {
    const service = await walk(tools, target, trail, signal);
    return { service, hops: trail.hops, warnings: trail.warnings };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    throw error.with({ hops: trail.hops });
  }
}

async function walk(
  tools: Tools,
  target: DiscoverTarget,
  trail: Trail,
  signal: AbortSignal | undefined,
): Promise<Service> {
  if ('issuer' in target) return fromIssuer(tools, target.issuer, trail, signal);
  const given = 'resource' in target ? target.resource : target.address;
  requireAddress(given, 'The address');
  const metadata = await findResourceMetadata(tools, given, 'resource' in target, trail, signal);
  if (metadata !== undefined) {
    const { resource, resource_name: name, authorization_servers: servers } = metadata;
    const namedBy = { resource, name: name === undefined ? undefined : displayText(name, 80) };
    return findService(tools, servers, namedBy, trail, signal);
  }
  if ('address' in target) return fromIssuer(tools, withoutFinalSlash(given), trail, signal);
  throw new AgentError(`${displayText(given, 100)} publishes no protected resource metadata.`, {
    code: 'metadata_not_found',
    hint: 'Discover from the address of the service or of its issuer instead.',
  });
}

async function fromIssuer(
  tools: Tools,
  issuer: string,
  trail: Trail,
  signal: AbortSignal | undefined,
): Promise<Service> {
  requireAddress(issuer, 'The issuer');
  return readService(tools, issuer, undefined, trail, signal);
}

/**
 * Through the challenge of the address, when it is one that may challenge: it has a path, or was named
 * as a resource. Else at the well-known address that is derived from it, and after a 404 at the plain
 * and the appended one.
 */
async function findResourceMetadata(
  tools: Tools,
  given: string,
  isResource: boolean,
  trail: Trail,
  signal: AbortSignal | undefined,
): Promise<ProtectedResourceMetadata | undefined> {
  const peer = new Peer(tools.context);
  const url = new URL(given);
  const requested = url.origin + url.pathname;
  if (isResource || url.pathname !== '/') {
    const named = await askForChallenge(peer, url.href, trail, signal);
    if (named !== undefined) {
      const metadataUrl = requirePeerAddress(named, 'The address in the challenge', given);
      const expected = { address: requested, through: 'challenge' } as const;
      const found = await readResourceMetadata(peer, metadataUrl, expected, trail, signal);
      if (found !== undefined) return found;
    }
  }
  const base = withoutFinalSlash(requested);
  for (const place of metadataPlaces(base)) {
    const expected = { address: base, through: 'address' } as const;
    const found = await readResourceMetadata(peer, place, expected, trail, signal);
    if (found !== undefined) return found;
  }
  return undefined;
}

function metadataPlaces(base: string): readonly string[] {
  return [
    ...new Set([
      protectedResourceMetadataUrl(base),
      new URL(base).origin + PROTECTED_RESOURCE_PATH,
      base + PROTECTED_RESOURCE_PATH,
    ]),
  ];
}
