import {
  displayText,
  printableUrl,
  resourceMetadataUrls,
  withoutQuery,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { Peer } from '../http/peer.ts';
import { requirePeerUrl, requireUrl } from '../http/url-policy.ts';
import type { Discovery } from '../model.ts';
import type { Step } from '../next-step.ts';
import type { DiscoverTarget } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { askForChallenge, readChallenge } from './ask-for-challenge.ts';
import { explainFailure } from './explain-failure.ts';
import { type FoundService, findService, readService } from './find-service.ts';
import { Hops } from './hops.ts';
import { type ResourceMetadata, readResourceMetadata } from './resource-metadata.ts';

export async function discover(tools: Tools, target: DiscoverTarget): Promise<Discovery> {
  const hops = new Hops(tools);
  try {
    const { service, recognition } = await walk(tools, target, hops);
    return { service, recognition, hops: hops.list, warnings: hops.warnings };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    const explained = await explainFailure(tools, target, hops, error);
    throw explained.with({ hops: hops.list, ...goesOn(target, explained) });
  }
}

/** Whichever host failed: the next step names the URL that was given. */
function goesOn(target: DiscoverTarget, { next }: AgentError): { readonly next?: Step } {
  if (next?.command !== 'doctor' || 'issuer' in target) return {};
  const given = 'resource' in target ? target.resource : target.address;
  return { next: { command: 'doctor', args: [printableUrl(given)] } };
}

async function walk(tools: Tools, target: DiscoverTarget, hops: Hops): Promise<FoundService> {
  if ('issuer' in target) return readService(tools, { issuer: target.issuer }, hops);
  const given = 'resource' in target ? target.resource : target.address;
  requireUrl(tools.policy, given, 'The URL');
  const isResource = 'resource' in target;
  const requested = identifierOf(given);
  const metadata = await findResourceMetadata(tools, target, hops);
  if (metadata !== undefined) {
    const { resource, resource_name: name, authorization_servers: servers, document } = metadata;
    const shownName = name === undefined ? undefined : displayText(name, 80);
    const namedBy = { resource, name: shownName, document };
    return findService(tools, servers, namedBy, hops);
  }
  if (!isResource) {
    return readService(tools, { issuer: requested, by: 'user' }, hops);
  }
  throw new AgentError(`${displayText(given, 100)} publishes no protected resource metadata.`, {
    code: 'metadata_not_found',
    hint: 'Discover it by the URL of the service or of its issuer instead.',
  });
}

/**
 * The resource identifier that a user meant by a URL: without its query, and with a final slash only where
 * one was typed.
 */
export function identifierOf(given: string): string {
  const { origin, pathname } = new URL(given);
  return pathname === '/' && !withoutQuery(given).endsWith('/') ? origin : origin + pathname;
}

/**
 * Finds the metadata by the challenge (RFC 9728 §5.1) of a URL that answered with one, has a path or was named as a
 * resource; else at the well-known URL that is derived from it (§3.1), and after a 404 at the plain and the appended
 * one.
 */
export async function findResourceMetadata(
  tools: Tools,
  target: Exclude<DiscoverTarget, { readonly issuer: string }>,
  hops: Hops,
): Promise<ResourceMetadata | undefined> {
  const peer = new Peer(tools.context);
  const typed = 'address' in target;
  const given = typed ? target.address : target.resource;
  const { challenge } = target;
  const url = new URL(given);
  if (!typed || challenge !== undefined || url.pathname !== '/') {
    const named =
      challenge === undefined
        ? await askForChallenge(peer, given, hops)
        : readChallenge(given, challenge, hops);
    if (hops.read.client !== undefined) {
      const shown = displayText(withoutQuery(given), 200);
      throw new AgentError(`${shown} is the metadata document of a client, and no service.`, {
        code: 'no_agent_auth',
        hint: 'Servers read it for a client whose client_id is this URL. Name a service instead.',
      });
    }
    if (named !== undefined) {
      const metadataUrl = requirePeerUrl(tools.policy, named, 'The URL in the challenge', given);
      const challenged = url.origin + url.pathname;
      const expected = { url: challenged, through: 'challenge', typed } as const;
      const found = await readResourceMetadata(peer, metadataUrl, expected, hops);
      if (found !== undefined) return found;
    }
  }
  const identifier = identifierOf(given);
  for (const place of resourceMetadataUrls(identifier)) {
    const expected = { url: identifier, through: 'url', typed } as const;
    const found = await readResourceMetadata(peer, place, expected, hops);
    if (found !== undefined) return found;
  }
  return undefined;
}
