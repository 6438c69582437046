import { AgentError } from '../../../agent/agent-error.ts';
import { askForChallenge, readChallenge } from '../../../agent/discovery/ask-for-challenge.ts';
import { SKILL_HEADERS } from '../../../agent/discovery/explain-failure.ts';
import { Hops } from '../../../agent/discovery/hops.ts';
import { ANSWER_LIMIT } from '../../../agent/http/answer.ts';
import { Peer } from '../../../agent/http/peer.ts';
import { createUrlPolicy, requirePeerUrl } from '../../../agent/http/url-policy.ts';
import { KIND_NAMES } from '../../../discovery/document.ts';
import { countedPlace } from '../../../discovery/index.ts';
import { MEDIA_TYPE } from '../../../protocol/constants.ts';
import { describeDuration } from '../../../protocol/durations.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import { isJsonMediaType } from '../../../protocol/media-type.ts';
import { displayText } from '../../../protocol/text.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  authorizationServerMetadataUrls,
  isSameOrigin,
  openidConfigurationUrls,
  PROTECTED_RESOURCE_PATH,
  resourceMetadataUrls,
  urlProblem,
} from '../../../protocol/urls.ts';
import { silentLog } from '../../../runtime/system.ts';
import { startDeadline } from '../../../runtime/system-deadline.ts';
import { CliError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Collected, LintDocument, Report } from '../finding.ts';
import { isPage, reportSize, type Trouble } from './read-text.ts';
import { lookedAt, type Search, type Visit, visit, visitMetadata } from './visit.ts';

/** The longest that a run may take at a URL, in milliseconds. */
const LONGEST = 60_000;

/** More entries than this are not looked at, as agents do (attack A-09). */
const MOST_SERVERS = 5;

/**
 * The discovery documents of a service, looked for as agents do: the challenge of the URL, the metadata of the
 * resource, that of its authorization servers, the skill file. By GET, without credentials, bounded in time.
 * @throws AgentError `unreachable` when nothing answers there.
 */
export async function visitService(
  { fetch, interrupt, options, world }: Context,
  typed: string,
  report: Report,
): Promise<Collected> {
  const { clock, sleep, random } = world;
  const deadline = startDeadline(LONGEST, interrupt.signal);
  const search: Search = {
    peer: new Peer({ fetch: await fetch(), clock, sleep, random, log: silentLog }),
    hops: new Hops({
      policy: createUrlPolicy({ allowOrigins: options.allowOrigin }),
      signal: deadline.signal,
    }),
    report,
    service: serviceOf(typed),
    ...{ documents: [], looked: [], visits: new Map() },
  };
  try {
    const challenged = await readChallenged(search, typed);
    const { client } = search.hops.read;
    if (client !== undefined) {
      keep(search, { kind: 'client', name: typed, url: typed, ...client });
      reportSize(report, typed, client.text);
      return search;
    }
    const places = resourceMetadataUrls(search.service);
    const named = challenged === undefined ? [] : [challenged];
    const resource = await findDocument(search, 'resource', [...named, ...places], challenged);
    for (const issuer of issuersOf(search, resource)) {
      // What only signs users in often publishes no other.
      const others = openidConfigurationUrls(issuer);
      await findDocument(search, 'server', [...authorizationServerMetadataUrls(issuer), ...others]);
    }
    await visitSkill(search);
    reportMoved(search);
    return search;
  } catch (error) {
    if (!deadline.signal.aborted || interrupt.signal.aborted) throw error;
    throw new CliError('network', {
      code: 'network_timeout',
      message: `The documents did not come within ${describeDuration(LONGEST)}.`,
      hint: 'Try again later.',
      cause: error,
    });
  } finally {
    deadline.end();
  }
}

/** What a URL names that is itself the place of a document: the service, or the resource. */
export function serviceOf(typed: string): string {
  const { origin, pathname } = new URL(typed);
  for (const place of [AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH]) {
    if (pathname === place || pathname.startsWith(`${place}/`)) {
      return origin + pathname.slice(place.length);
    }
    if (pathname.endsWith(place)) return origin + pathname.slice(0, -place.length);
  }
  return pathname === '/' || /^\/auth\.md$/i.test(pathname) ? origin : origin + pathname;
}

/** Asks for the service itself: a 401 says where its metadata lies (RFC 9728 §5.1). */
async function readChallenged(search: Search, typed: string): Promise<string | undefined> {
  const { peer, hops, looked, report, service } = search;
  const { pathname } = new URL(service);
  // The root is named for its documents, and so is the place of one.
  const isMeant = pathname !== '/' && pathname === new URL(typed).pathname;
  const named =
    pathname === '/'
      ? await askRoot(search)
      : await askForChallenge(peer, isMeant ? typed : service, hops);
  const [first] = hops.list;
  looked.push(
    ...hops.list.map(({ url, status, learnt }) => lookedAt(url, status ?? undefined, learnt)),
  );
  if (hops.read.client !== undefined) return undefined;
  const who = `The 401 of ${displayText(service)}`;
  if (hops.list.every(({ status }) => status !== 401)) {
    if (!isMeant) return undefined;
    const message = `${displayText(service)} answered ${first?.status} without a token, so no challenge was judged.`;
    const instead = 'Name a path that needs a token, or have this one answer 401.';
    report('no-challenge', undefined, message, instead);
    return undefined;
  }
  if (named !== undefined && hops.warnings.some(({ code }) => code === 'challenge_unquoted')) {
    const instead = `resource_metadata="${displayText(named)}"`;
    const message = `${who} names its resource_metadata without quotes.`;
    report('challenge-unquoted', undefined, message, instead);
  }
  if (named !== undefined && mayAsk(search, named)) return named;
  const problem =
    named === undefined
      ? 'names no resource_metadata'
      : `names a resource_metadata that cannot be used (${displayText(named, 100)})`;
  const instead = `WWW-Authenticate: Bearer resource_metadata="${resourceMetadataUrls(service)[0]}"`;
  const message = `${who} ${problem}, so agents have to guess where the metadata lies.`;
  report('challenge-without-metadata', undefined, message, instead);
  return undefined;
}

/** Where nothing else was found, what was typed may be the place of a document that moved. */
function reportMoved({ documents, hops, report, service }: Search): void {
  const [first] = hops.list;
  const status = first?.status ?? 0;
  if (documents.length > 0 || first?.step !== 'challenge' || status < 300 || status > 399) return;
  const instead = 'Name the URL that it leads to; a document is served at its own URL itself.';
  report('document-redirected', service, `It answers ${status}, which is not followed.`, instead);
}

/** Agents post to no root, unasked. */
async function askRoot({ peer, hops, service }: Search): Promise<string | undefined> {
  const init = { headers: { accept: '*/*' } };
  const { headers, status } = await peer.readText(service, init, ANSWER_LIMIT, hops.signal);
  if (status === 401) return readChallenge(service, headers, hops);
  hops.hop('challenge', service, status, 'asks for no token');
  return undefined;
}

/** Whether an agent would ask a URL that a service names: one that is nearer than what named it is not asked. */
function mayAsk({ hops, service }: Search, url: string): boolean {
  try {
    requirePeerUrl(hops.policy, url, 'It', service);
    return true;
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return false;
  }
}

/** The first of several places that has a document. What is wrong with the others counts where none has. */
async function findDocument(
  search: Search,
  kind: 'resource' | 'server',
  places: readonly string[],
  challenged?: string,
): Promise<JsonObject | undefined> {
  const { report, service } = search;
  let trouble: { readonly url: string; readonly its: Trouble } | undefined;
  for (const url of new Set(places)) {
    const visit = await visitMetadata(search, url);
    if (visit.trouble !== undefined) trouble ??= { url, its: visit.trouble };
    const { byteOrderMark, json, mediaType, text = '' } = visit;
    if (json === undefined) continue;
    const counted = url === challenged ? countedPlace(url, json['resource'], service) : url;
    keep(search, { kind, name: url, url: counted, text, json, byteOrderMark, mediaType });
    return json;
  }
  const [place = service] = places;
  // Agents go on without the metadata of a resource, whatever stands in its place.
  const isPageHere = kind === 'resource' && trouble?.its[0] === 'html-for-json';
  if (trouble !== undefined && !isPageHere) {
    const [rule, message, instead] = trouble.its;
    report(rule, trouble.url, message, instead);
    return undefined;
  }
  const at = `${KIND_NAMES[kind]} at ${displayText(place)}`;
  const message = isPageHere
    ? `There is an HTML page, and no ${KIND_NAMES[kind]}, at ${displayText(place)}.`
    : `There is no ${at}.`;
  report(`${kind}-metadata-missing`, undefined, message, insteadOf(search, kind, place));
  return undefined;
}

type Found = Omit<LintDocument, 'file'> & Pick<Visit, 'byteOrderMark' | 'mediaType'>;

function keep(search: Search, { byteOrderMark, mediaType = '', ...document }: Found): void {
  const { kind, name } = document;
  search.documents.push({ ...document, file: undefined });
  if (byteOrderMark) search.report('byte-order-mark', name, 'It begins with a byte order mark.');
  const isJson = kind === 'client' ? isJsonMediaType(mediaType) : mediaType === MEDIA_TYPE.json;
  if (!isJson) reportType(search, 'media-type', name, mediaType);
}

/** Where to serve a document that is missing. A server has its own place, whatever resource was typed. */
function insteadOf({ service, documents }: Search, kind: 'resource' | 'server', place: string) {
  const here = `Serve it at ${displayText(place)}`;
  if (kind === 'resource') return `${here}.`;
  if (documents.some((document) => document.kind === 'resource')) {
    return `${here}: it is that of the server which the resource names in authorization_servers.`;
  }
  const { origin, pathname } = new URL(service);
  if (pathname === '/') return `${here}.`;
  return `Name the server in authorization_servers of the protected resource metadata first. For ${origin} as the server, serve it at ${authorizationServerMetadataUrls(origin)[0]}.`;
}

/** The issuers that the resource names; without its metadata the service itself. */
function issuersOf(search: Search, resource: JsonObject | undefined): readonly string[] {
  const listed = resource?.['authorization_servers'];
  const named = (Array.isArray(listed) ? listed : []).filter((each) => typeof each === 'string');
  if (named.length === 0) return [search.service];
  return named.slice(0, MOST_SERVERS).filter((issuer, index) => {
    if (mayAsk(search, issuer)) return true;
    const document = search.documents.find(({ kind }) => kind === 'resource')?.name;
    const message = `${displayText(issuer, 100)} cannot be asked for metadata.`;
    const instead = 'Name the issuer by an https URL.';
    const path = ['authorization_servers', index];
    search.report('authorization-server-unusable', document, message, instead, path);
    return false;
  });
}

/**
 * The skill file: the one that the metadata names, where it is on an origin of the service; else `/auth.md`. One of
 * somebody else is not asked for.
 */
async function visitSkill(search: Search): Promise<void> {
  const { report, service, documents } = search;
  const [named] = documents.flatMap(({ json }) => {
    const block = json?.['agent_auth'];
    const skill = isJsonObject(block) ? block['skill'] : undefined;
    return typeof skill === 'string' ? [skill] : [];
  });
  const homes = [service, ...documents.flatMap(({ url }) => url ?? [])];
  const isOwn = (url: string) => homes.some((home) => isSameOrigin(url, home));
  if (named !== undefined && (urlProblem(named) !== undefined || !isOwn(named))) return;
  const url = named ?? `${new URL(service).origin}/auth.md`;
  const { learnt, status, trouble, text, mediaType } = await visit(
    search,
    url,
    SKILL_HEADERS.accept,
  );
  const isHtml = text !== undefined && (mediaType === 'text/html' || isPage(text));
  search.looked.push(lookedAt(url, status, isHtml ? 'an HTML page' : learnt));
  // A single-page app answers every URL with its page: nothing says that there should be a skill file.
  if (named === undefined && (isHtml || text === undefined)) return;
  if (isHtml) {
    const instead = `Content-Type: ${MEDIA_TYPE.markdown}`;
    report('skill-not-markdown', url, 'It is an HTML page.', instead);
  } else if (text === undefined) {
    const [rule, message, instead] = trouble ?? ['document-unreachable', `It answers ${status}.`];
    report(rule, url, message, instead);
  } else {
    documents.push({ kind: 'skill', name: url, file: undefined, url, text, json: undefined });
    if (!mediaType?.startsWith('text/')) reportType(search, 'skill-not-markdown', url, mediaType);
  }
}

function reportType(
  { report }: Search,
  rule: 'media-type' | 'skill-not-markdown',
  url: string,
  mediaType = '',
): void {
  const right = rule === 'media-type' ? MEDIA_TYPE.json : MEDIA_TYPE.markdown;
  const shown = displayText(mediaType, 80) || 'nothing in particular';
  report(rule, url, `It is served as ${shown}.`, `Content-Type: ${right}`);
}
