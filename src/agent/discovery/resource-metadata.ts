import { countedPlace } from '../../discovery/index.ts';
import {
  covers,
  displayText,
  displayWord,
  isSameOrigin,
  type JsonObject,
  type ProtectedResourceMetadata,
  protectedResourceMetadata,
  protectedResourceMetadataUrl,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { Peer } from '../http/peer.ts';
import type { Schema } from '../http/read-members.ts';
import { requirePeerUrl } from '../http/url-policy.ts';
import type { Tools } from '../tools.ts';
import { fetchMetadata, otherSpelling } from './fetch-metadata.ts';
import type { Hops } from './hops.ts';

const WHO = 'The protected resource metadata';

/** What the metadata's `resource` has to match: the URL that challenged, or one that was typed. */
interface Expectation {
  readonly url: string;
  readonly through: 'challenge' | 'url';
  /** A user typed it: one final slash more than the metadata has is no difference. */
  readonly typed?: boolean;
}

/** The metadata of a resource, and the document as it was published. */
export interface ResourceMetadata extends ProtectedResourceMetadata {
  readonly document: JsonObject;
}

/**
 * The metadata of a resource that is known already, at its own URL (RFC 9728 §3.1); `undefined` where it cannot
 * be had: nothing depends on it but what it adds.
 */
export async function readOwnMetadata(
  { context }: Tools,
  resource: string,
  hops: Hops,
): Promise<JsonObject | undefined> {
  const expected = { url: resource, through: 'url' } as const;
  const place = protectedResourceMetadataUrl(resource);
  try {
    const found = await readResourceMetadata(new Peer(context), place, expected, hops);
    return found?.document;
  } catch (error) {
    if (error instanceof AgentError && error.code !== 'aborted') return undefined;
    throw error;
  }
}

/**
 * The protected resource metadata at `url`; `undefined` where there is none.
 * @throws AgentError `resource_mismatch`, `metadata_invalid`, or as `fetchMetadata`.
 */
export function readResourceMetadata(
  peer: Peer,
  url: string,
  expected: Expectation,
  hops: Hops,
): Promise<ResourceMetadata | undefined> {
  const read = (resource: JsonObject) => {
    const resourceAt = countedPlace(url, resource['resource'], expected.url);
    Object.assign(hops.read, { resource, resourceAt });
  };
  return fetchMetadata(peer, 'resource_metadata', url, hops, (document) => {
    if (namesNoServer(document)) {
      hops.tolerate(
        'resource_metadata_unusable',
        `${WHO} names no authorization server (authorization_servers), so it is skipped.`,
      );
      // It may describe the registration all the same; of another host it would be a stranger's word.
      if (isSameOrigin(url, expected.url)) read(document);
      return [undefined, 'no authorization server'];
    }
    const metadata = parseMetadata(document, WHO, protectedResourceMetadata);
    judgeResource(metadata.resource, expected, hops);
    read(document);
    hops.read.at ??= url;
    const servers = metadata.authorization_servers.map((server) => displayText(server, 100));
    return [{ ...metadata, document }, `its authorization server is ${servers.join(', ')}`];
  });
}

/** RFC 9728 §2: the member is optional, and sites that are open to all leave it empty. */
function namesNoServer({ resource, authorization_servers: servers }: JsonObject): boolean {
  if (typeof resource !== 'string') return false;
  return servers === undefined || (Array.isArray(servers) && servers.length === 0);
}

/** RFC 9728 §3.3, and what wire contract §2 tolerates beside it. Compared as strings, not as URLs (PRM-11). */
function judgeResource(resource: string, expected: Expectation, hops: Hops): void {
  if (resource === expected.url) return;
  if (expected.typed && `${resource}/` === expected.url) return;
  const shown = displayWord(resource, 100);
  const asked = displayText(expected.url, 100);
  requirePeerUrl(hops.policy, resource, 'The resource in the metadata', expected.url);
  if (withoutFinalSlash(resource) === withoutFinalSlash(expected.url)) {
    hops.tolerate(
      'resource_final_slash',
      `The metadata is of ${shown}, which differs from ${asked} in the final slash.`,
    );
    return;
  }
  const tolerable =
    expected.through === 'challenge'
      ? covers(resource, expected.url)
      : isSameOrigin(resource, expected.url);
  if (!tolerable) {
    throw new AgentError(
      `The protected resource metadata is of ${shown}, not of ${asked}: it is not used.`,
      { code: 'resource_mismatch', ...otherSpelling(resource, expected.url) },
    );
  }
  hops.tolerate(
    expected.through === 'challenge' ? 'resource_covers' : 'resource_differs',
    `The metadata is of ${shown}, not exactly of ${asked}.`,
  );
}

/**
 * The members of a metadata document in the shape that a schema gives: unknown ones ignored, a known
 * one that is malformed an error (ASM-09). @throws AgentError `metadata_invalid`.
 */
export function parseMetadata<T>(document: JsonObject, what: string, schema: Schema<T>): T {
  const result = schema.safeParse(document);
  if (result.success) return result.data;
  const member = result.error.issues[0]?.path.join('.') ?? '';
  throw new AgentError(`${what} cannot be used: ${member} is missing or not what it must be.`, {
    code: 'metadata_invalid',
  });
}
