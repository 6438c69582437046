import {
  authorizationServerMetadataUrls,
  covers,
  displayText,
  isSameOrigin,
  openidConfigurationUrls,
  PROTECTED_RESOURCE_PATH,
  protectedResourceMetadataUrl,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import type { Report } from '../defect.ts';
import { type Check, type JsonDocument, textOf } from './judged.ts';

/** RFC 8414 §2 and §3.3, RFC 9728 §3.3: a document is that of the identifier that its place is made of. */
export const checkPlaces: Check = ({ servers, resources }, report) => {
  for (const document of servers) {
    const issuer = textOf(document.json, 'issuer');
    if (issuer === undefined || !URL.canParse(issuer)) continue;
    const { search, hash } = new URL(issuer);
    if (search !== '' || hash !== '') {
      report({
        rule: 'issuer-not-plain',
        document: document.name,
        path: ['issuer'],
        message: `The issuer ${displayText(issuer, 100)} has a query or a fragment.`,
        instead: `"issuer": "${issuer.split(/[?#]/, 1)[0]}"`,
      });
      continue;
    }
    // Another host is a finding of its own.
    if (document.url !== undefined && !isSameOrigin(issuer, document.url)) continue;
    checkPlace(document, issuer, report);
  }
  for (const document of resources) {
    if (document.kind !== 'resource') continue;
    const resource = textOf(document.json, 'resource');
    if (resource === undefined || !URL.canParse(resource)) {
      report({
        rule: 'resource-missing',
        document: document.name,
        path: ['resource'],
        message: 'The metadata does not say which resource it is of.',
        instead: '"resource": the URL of the API, as its users write it',
      });
      continue;
    }
    checkIdentity(document, resource, report);
  }
};

function checkPlace({ name, url }: JsonDocument, issuer: string, report: Report): void {
  const places = authorizationServerMetadataUrls(issuer);
  const [right = ''] = places;
  const of = `the issuer ${displayText(issuer, 100)}`;
  // Two spellings of one place are a finding of their own.
  if (url === undefined || withoutFinalSlash(url) === withoutFinalSlash(right)) return;
  const isLookedAt = [...places, ...openidConfigurationUrls(issuer)].includes(url);
  report({
    rule: isLookedAt ? 'metadata-place' : 'issuer-path-differs',
    document: name,
    path: ['issuer'],
    message: isLookedAt
      ? `It is served at ${displayText(url, 200)}, where not every agent looks for the metadata of ${of}.`
      : `It is served at ${displayText(url, 200)}, but is of ${of}.`,
    instead: isLookedAt
      ? `Serve it at ${displayText(right, 200)} too.`
      : `Serve it at ${displayText(right, 200)}, or name what is served here.`,
  });
}

/** RFC 9728 §3.3: identical, as strings, to the identifier that the place of the metadata is made of. */
function checkIdentity({ name, url }: JsonDocument, resource: string, report: Report): void {
  if (url === undefined || !url.includes(PROTECTED_RESOURCE_PATH)) return;
  const { origin, pathname } = new URL(url);
  const asked = pathname.startsWith(PROTECTED_RESOURCE_PATH)
    ? origin + pathname.slice(PROTECTED_RESOURCE_PATH.length)
    : undefined;
  if (resource === asked) return;
  const where = asked === undefined ? '' : `, the place of ${displayText(asked, 200)}`;
  report({
    rule: 'resource-differs',
    document: name,
    path: ['resource'],
    message: `It is served at ${displayText(url, 200)}${where}, but is of the resource ${displayText(resource, 200)}, which has to be the same, letter for letter.`,
    instead: `Serve it at ${displayText(protectedResourceMetadataUrl(resource), 200)}, or name what is served here.`,
  });
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
