import {
  authorizationServerMetadataUrls,
  covers,
  displayText,
  isSameOrigin,
  openidConfigurationUrls,
  PROTECTED_RESOURCE_PATH,
  parsedUrl,
  protectedResourceMetadataUrl,
  urlProblem,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import type { MemberPath } from '../document.ts';
import type { DocumentName } from '../model.ts';
import { listOf, rawText } from '../read.ts';
import type { Read } from '../read-documents.ts';
import { type Breach, breach } from './rule.ts';

/** Where the server's metadata is, in words, where that is not where RFC 8414 §3.1 puts that of its issuer. */
export function placeOf({ metadata, at }: Read) {
  const issuer = rawText(metadata ?? {}, 'issuer');
  const url = issuer === undefined ? undefined : parsedUrl(issuer);
  // A query, a fragment and another host are findings of their own.
  if (issuer === undefined || url === undefined || url.search + url.hash !== '') return undefined;
  if (at === undefined || !isSameOrigin(issuer, at)) return undefined;
  const places = authorizationServerMetadataUrls(issuer);
  const [right = ''] = places;
  // Two spellings of one place are a finding of their own.
  if (withoutFinalSlash(at) === withoutFinalSlash(right)) return undefined;
  return {
    at: displayText(at, 200),
    of: `the issuer ${displayText(issuer, 100)}`,
    right: displayText(right, 200),
    isLookedAt: [...places, ...openidConfigurationUrls(issuer)].includes(at),
  };
}

/** RFC 9728 §3.3: identical, as strings, to the identifier that the place of the metadata is made of. */
export function otherResource({ resource: json, resourceAt: url }: Read): readonly Breach[] {
  const resource = rawText(json, 'resource');
  if (resource === undefined || parsedUrl(resource) === undefined) return [];
  if (url === undefined || !url.includes(PROTECTED_RESOURCE_PATH)) return [];
  const { origin, pathname } = new URL(url);
  const asked = pathname.startsWith(PROTECTED_RESOURCE_PATH)
    ? origin + pathname.slice(PROTECTED_RESOURCE_PATH.length)
    : undefined;
  if (resource === asked) return [];
  const where = asked === undefined ? '' : `, the place of ${displayText(asked, 200)}`;
  const message = `It is served at ${displayText(url, 200)}${where}, but is of the resource ${displayText(resource, 200)}, which has to be the same, letter for letter.`;
  const right = displayText(protectedResourceMetadataUrl(resource), 200);
  const fix = `Serve it at ${right}, or name what is served here.`;
  return [breach('resource', ['resource'], message, fix)];
}

/**
 * Where the metadata of a resource counts as served that was found at `url`: a challenge may name any place, as
 * long as it is of what was called. At a well-known place it is of what that is made of.
 */
export function countedPlace(url: string, resource: unknown, called: string): string {
  if (url.includes(PROTECTED_RESOURCE_PATH)) return url;
  const isCovered = typeof resource === 'string' && covers(resource, called);
  return protectedResourceMetadataUrl(isCovered ? resource : called);
}

/** The URLs in the metadata of resources. */
export function urlsIn({ resources }: Read, member: 'resource' | 'authorization_servers') {
  return resources.flatMap(({ name, json }): readonly GivenUrl[] => {
    const value = json[member];
    if (member === 'authorization_servers') {
      return listOf(value).map((each, index) => [name, [member, index], each]);
    }
    return value === undefined ? [] : [[name, [member], value]];
  });
}

/** What stands in place of a URL. */
export type GivenUrl = readonly [document: DocumentName, path: MemberPath, value: unknown];

/** What the metadata of resources names by another URL than one of https. */
export function notOfHttps(
  read: Read,
  member: 'resource' | 'authorization_servers',
): readonly Breach[] {
  return urlsIn(read, member)
    .filter(([, , value]) => typeof value !== 'string' || urlProblem(value)?.startsWith('not_'))
    .map(([name, path, value]) => {
      const message = `${displayText(String(value), 100)} is not a URL of https.`;
      return breach(name, path, message, 'Name it by an https URL.');
    });
}
