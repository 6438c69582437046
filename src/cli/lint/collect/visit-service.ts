import { AgentError } from '../../../agent/agent-error.ts';
import { isNotForGet, namedMetadata } from '../../../agent/discovery/ask-for-challenge.ts';
import { createUrlPolicy, requirePeerUrl, type UrlPolicy } from '../../../agent/http/url-policy.ts';
import { KIND_NAMES } from '../../../discovery/document.ts';
import { countedPlace } from '../../../discovery/index.ts';
import { MEDIA_TYPE } from '../../../protocol/constants.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import {
  authorizationServerMetadataUrls,
  openidConfigurationUrls,
  resourceMetadataUrls,
} from '../../../protocol/urls.ts';
import type { Context } from '../../shell/context.ts';
import type { Report } from '../finding.ts';
import type { Collected } from './collected.ts';
import { DOCUMENT_LIMIT } from './limits.ts';
import { serviceOf } from './places.ts';
import { readMetadataAnswer, type Trouble } from './read-answer.ts';
import type { Search } from './search.ts';
import { visitSkill } from './visit-skill.ts';
import { Visitor } from './visitor.ts';

/** More entries than this are not looked at, as agents do (attack A-09). */
const MOST_SERVERS = 5;

/**
 * The discovery documents of a service, looked for as agents do: the challenge of the URL, the metadata of the
 * resource, that of its authorization servers, the skill file.
 * @throws AgentError `unreachable` when nothing answers there.
 */
export async function visitService(
  context: Context,
  typed: string,
  report: Report,
): Promise<Collected> {
  const visitor = await Visitor.start(context);
  const policy = createUrlPolicy({ allowOrigins: context.options.allowOrigin });
  const search: Search = { visitor, report, policy, service: serviceOf(typed), documents: [] };
  try {
    const challenged = await askForChallenge(search, typed);
    const places = resourceMetadataUrls(search.service);
    const resource =
      challenged === undefined
        ? await findDocument(search, 'resource', places)
        : await findDocument(search, 'resource', [challenged, ...places], challenged);
    for (const issuer of issuersOf(search, resource)) {
      await findDocument(search, 'server', [
        ...authorizationServerMetadataUrls(issuer),
        // What only signs users in often publishes no other.
        ...openidConfigurationUrls(issuer),
      ]);
    }
    await visitSkill(search);
    return { documents: search.documents, looked: visitor.looked };
  } finally {
    visitor.end();
  }
}

/** Asks for the service itself: a 401 says where its metadata lies (RFC 9728 §5.1). */
async function askForChallenge(
  { visitor, report, service, policy }: Search,
  typed: string,
): Promise<string | undefined> {
  let visit = await visitor.get(service, '*/*', DOCUMENT_LIMIT);
  if (!visit.ok) throw visit.error;
  if (isNotForGet(visit.answer.status) && new URL(service).pathname !== '/') {
    const posted = await visitor.initialize(service, DOCUMENT_LIMIT);
    if (posted.ok && posted.answer.status === 401) visit = posted;
  }
  const { status, headers } = visit.answer;
  if (status !== 401) {
    visitor.note(service, visit, 'asks for no token');
    // The root is named for its documents, and so is the place of one.
    const { pathname } = new URL(typed);
    if (pathname !== '/' && pathname === new URL(service).pathname) {
      report({
        rule: 'no-challenge',
        document: undefined,
        message: `${displayText(service)} answered ${status} without a token, so no challenge was judged.`,
        instead: 'Name a path that needs a token, or have this one answer 401.',
      });
    }
    return undefined;
  }
  const metadata = namedMetadata(headers);
  const named = metadata?.url;
  if (metadata?.isUnquoted) {
    report({
      rule: 'challenge-unquoted',
      document: undefined,
      message: `The 401 of ${displayText(service)} names its resource_metadata without quotes.`,
      instead: `resource_metadata="${displayText(metadata.url)}"`,
    });
  }
  visitor.note(service, visit, named === undefined ? 'names no metadata' : 'names its metadata');
  const problem =
    named === undefined ? 'names no resource_metadata' : urlProblemOf(policy, named, service);
  if (named !== undefined && problem === undefined) return named;
  report({
    rule: 'challenge-without-metadata',
    document: undefined,
    message: `The 401 of ${displayText(service)} ${problem ?? ''}, so agents have to guess where the metadata lies.`,
    instead: `WWW-Authenticate: Bearer resource_metadata="${resourceMetadataUrls(service)[0]}"`,
  });
  return undefined;
}

/** As agents see a URL that a service names: one that is nearer than what named it is not asked. */
function urlProblemOf(policy: UrlPolicy, url: string, namedBy: string): string | undefined {
  try {
    requirePeerUrl(policy, url, 'It', namedBy);
    return undefined;
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return `names a resource_metadata that cannot be used (${displayText(url, 100)})`;
  }
}

/** The first of several places that has a document. What is wrong with the others counts where none has. */
async function findDocument(
  { visitor, report, documents, service }: Search,
  kind: 'resource' | 'server',
  places: readonly string[],
  challenged?: string,
): Promise<JsonObject | undefined> {
  const troubles: Trouble[] = [];
  for (const url of new Set(places)) {
    const visit = await visitor.get(url, MEDIA_TYPE.json, DOCUMENT_LIMIT);
    const read = readMetadataAnswer(visit, url);
    visitor.note(url, visit, read.learnt);
    if (read.trouble !== undefined) troubles.push(read.trouble);
    if (read.text === undefined) continue;
    const { text, json } = read;
    const counted = url === challenged ? countedPlace(url, json?.['resource'], service) : url;
    documents.push({ kind, name: url, file: undefined, url: counted, text, json });
    if (read.byteOrderMark) {
      const message = 'It begins with a byte order mark.';
      report({ rule: 'byte-order-mark', document: url, message });
    }
    if (read.mediaType !== MEDIA_TYPE.json) {
      report({
        rule: 'media-type',
        document: url,
        message: `It is served as ${displayText(read.mediaType ?? '', 80) || 'nothing in particular'}.`,
        instead: `Content-Type: ${MEDIA_TYPE.json}`,
      });
    }
    return json;
  }
  const [first] = troubles;
  const [place = service] = places;
  // Agents go on without the metadata of a resource, whatever stands in its place.
  const isOptional = kind === 'resource' && first?.rule === 'html-for-json';
  if (first !== undefined && !isOptional) {
    report(first);
    return undefined;
  }
  report({
    rule: kind === 'server' ? 'server-metadata-missing' : 'resource-metadata-missing',
    document: undefined,
    message:
      first === undefined
        ? `There is no ${KIND_NAMES[kind]} at ${displayText(place)}.`
        : `There is an HTML page, and no ${KIND_NAMES[kind]}, at ${displayText(place)}.`,
    instead: insteadOf(kind, place, service, documents),
  });
  return undefined;
}

/** Where to serve a document that is missing. A server has its own place, whatever resource was typed. */
function insteadOf(
  kind: 'resource' | 'server',
  place: string,
  service: string,
  documents: Search['documents'],
): string {
  const here = `Serve it at ${displayText(place)}`;
  if (kind === 'resource') return `${here}.`;
  if (documents.some((document) => document.kind === 'resource')) {
    return `${here}: it is that of the server which the resource names in authorization_servers.`;
  }
  const { origin, pathname } = new URL(service);
  if (pathname === '/') return `${here}.`;
  return `Name the server in authorization_servers of the protected resource metadata first. For ${origin} as the server, serve it at ${authorizationServerMetadataUrls(origin)[0]}.`;
}

/** Those that the resource names; without its metadata the service itself. */
function issuersOf(
  { service, report, documents, policy }: Search,
  resource: JsonObject | undefined,
): readonly string[] {
  const listed = resource?.['authorization_servers'];
  const named = (Array.isArray(listed) ? listed : []).filter((each) => typeof each === 'string');
  if (named.length === 0) return [service];
  return named.slice(0, MOST_SERVERS).filter((issuer) => {
    const problem = urlProblemOf(policy, issuer, service);
    if (problem !== undefined) {
      report({
        rule: 'authorization-server-unusable',
        document: documents.find(({ kind }) => kind === 'resource')?.name,
        path: ['authorization_servers', named.indexOf(issuer)],
        message: `${displayText(issuer, 100)} cannot be asked for metadata.`,
        instead: 'Name the issuer by an https URL.',
      });
    }
    return problem === undefined;
  });
}
