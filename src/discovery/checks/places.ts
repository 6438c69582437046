import {
  authorizationServerMetadataUrls,
  displayText,
  isSameOrigin,
  resourceMetadataUrls,
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
    const places = authorizationServerMetadataUrls(issuer);
    checkPlace(document, places, report, {
      rule: 'issuer-path-differs',
      member: 'issuer',
      what: `the issuer ${displayText(issuer, 100)}`,
    });
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
    checkPlace(document, resourceMetadataUrls(resource), report, {
      rule: 'resource-differs',
      member: 'resource',
      what: `the resource ${displayText(resource, 100)}`,
    });
  }
};

function checkPlace(
  { name, url }: JsonDocument,
  places: readonly string[],
  report: Report,
  about: {
    readonly rule: 'issuer-path-differs' | 'resource-differs';
    readonly member: string;
    readonly what: string;
  },
): void {
  const [right = ''] = places;
  const { rule, member, what } = about;
  if (url === undefined || url === right) return;
  const path = [member];
  if (!places.includes(url)) {
    report({
      rule,
      document: name,
      path,
      message: `It is served at ${displayText(url, 200)}, but is of ${what}.`,
      instead: `Serve it at ${displayText(right, 200)}, or name what is served here.`,
    });
    return;
  }
  // Two spellings of one place.
  if (withoutFinalSlash(url) === withoutFinalSlash(right)) return;
  report({
    rule: 'metadata-place',
    document: name,
    path,
    message: `It is served at ${displayText(url, 200)}, where not every agent looks for the metadata of ${what}.`,
    instead: `Serve it at ${displayText(right, 200)} too.`,
  });
}
