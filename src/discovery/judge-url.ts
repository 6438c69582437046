import { mayReach, PROTECTED_RESOURCE_PATH } from '../protocol/index.ts';
import type { Found } from './find-block.ts';
import { memberOf, namesOf, shown, textOf } from './read.ts';
import { absolute, isInsecure, isRelative, isSamePlace, webUrl } from './url.ts';

/** Whether agents can register at a URL, as far as documents tell. */
export type UrlJudgement =
  | { readonly is: 'real'; readonly url: string; readonly wasRelative: boolean }
  | { readonly is: 'client_registration'; readonly url: string; readonly why: string }
  /** A clause that follows "the URL to register at". */
  | { readonly is: 'nothing'; readonly why: string };

/** Last parts of paths at which there is a page for people, whatever stands before them. */
const PAGES =
  /^(contact|contact-?us|contact-?form|about|about-?us|pricing|plans|support|faq|docs?|documentation|index|welcome|newsletter|waitlist|request-access|(request|book)-(a-)?demo|talk-to-us|sales|terms|privacy|policy)$/i;

/** The same, but an API may have them too. */
const PAGES_OR_API =
  /^(sign-?up|join|get-?started|log-?in|sign-?in|account|my-?account|help|developers?|home|subscribe|demo|apply|dashboard|console|settings|api-?keys?|api-access|onboarding|(free-)?trial|enterprise|portal)$/i;

/** Sites of pages that others write: nobody's API is there. */
const PAGE_HOSTS =
  /(^|\.)(github\.com|gitlab\.com|forms\.gle|docs\.google\.com|typeform\.com|calendly\.com|t\.me|discord\.gg|discord\.com|linkedin\.com|notion\.so|notion\.site)$/i;

/** What is read, not requested by an agent. */
const FILES = /\.(md|markdown|txt|html?|xhtml|pdf|ya?ml|xml|rst|json|js|svg|png)$/i;

/** Pages that a program makes; an API may be made so too. */
const PROGRAMS = /\.(php|aspx?|jsp|cgi)$/i;

/** Hosts and first parts of paths under which there is text to read. */
const READING_HOSTS = /^(docs|help|support|blog|wiki|learn|status)\./i;
const READING_PATHS = /^\/(docs|documentation|guides?|blog|help|wiki|learn|tutorials?)\//i;

/** Where OAuth software registers its clients (RFC 7591). */
const CLIENT_REGISTRATION =
  /\/(oauth2?|oidc|connect|openid-connect)(\/v\d+)?\/(register|registration|clients?|reg)\/?$|\/clients-registrations\//i;

/** A path that may be either: an API, or the page where a user makes an account. */
const EITHER = /\/(register|registration|create-account|new)\/?$/i;

/** Members of documents that name what is no endpoint of agents. */
const ELSEWHERE: readonly (readonly [member: string, what: string])[] = [
  ['skill', 'the skill file itself'],
  ['skill_uri', 'the skill file itself'],
  ['skill_url', 'the skill file itself'],
  ['service_documentation', 'the documentation'],
  ['op_policy_uri', 'a page of policy'],
  ['op_tos_uri', 'a page of terms'],
  ['resource_documentation', 'the documentation'],
  ['jwks_uri', 'the key set'],
  ['authorization_endpoint', 'the page where users sign in (authorization_endpoint)'],
];

export function judgeUrl(found: Found, given: unknown): UrlJudgement {
  if (given === null) return { is: 'nothing', why: 'is null' };
  if (typeof given !== 'string') return { is: 'nothing', why: 'is no text' };
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(given)?.[1]?.toLowerCase();
  if (scheme === 'mailto') return { is: 'nothing', why: 'is an e-mail address (mailto:)' };
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return { is: 'nothing', why: `is not of http or https (${shown(scheme, 20)}:)` };
  }
  if (/[{}<>]/.test(given)) return { is: 'nothing', why: 'is a template with a blank to fill in' };
  const text = absolute(given, found.base);
  const url = webUrl(text);
  if (url === undefined) {
    return { is: 'nothing', why: isRelative(given) ? 'names no host' : 'is not a URL' };
  }
  if (text.includes('#')) return { is: 'nothing', why: 'is a place in a page (it has a fragment)' };
  const elsewhere = sameAs(found, text);
  if (elsewhere !== undefined) return { is: 'nothing', why: `is ${elsewhere}` };
  if (isInsecure(url, found.askedAt)) {
    return { is: 'nothing', why: 'is of plain http, over which no agent may send a secret' };
  }
  const last = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .at(-1);
  if (last === undefined) return { is: 'nothing', why: 'is the start page of the site' };
  if (FILES.test(last)) return { is: 'nothing', why: `is a file to read (${shown(last, 40)})` };
  if (url.pathname.includes('/.well-known/'))
    return { is: 'nothing', why: 'is a metadata document' };
  if (isOnCallersMachine(url, found.base)) {
    return { is: 'nothing', why: `is on the machine of whoever calls it (${shown(url.host, 60)})` };
  }
  if (url.username !== '' || url.password !== '') {
    return { is: 'nothing', why: 'has a user name or a password in it, which no agent may send' };
  }
  if (PROGRAMS.test(last) && !looksLikeApi(url)) {
    return { is: 'nothing', why: `is a page for people (${shown(last, 40)})` };
  }
  if (READING_HOSTS.test(url.hostname) || READING_PATHS.test(url.pathname)) {
    const where = READING_HOSTS.test(url.hostname) ? url.hostname : url.pathname;
    return { is: 'nothing', why: `is documentation to read (${shown(where, 60)})` };
  }
  if (PAGE_HOSTS.test(url.hostname)) {
    return { is: 'nothing', why: `is a page for people (${shown(url.hostname, 60)})` };
  }
  if (PAGES.test(last) || (PAGES_OR_API.test(last) && !looksLikeApi(url)))
    return { is: 'nothing', why: `is a page for people (${shown(url.pathname, 60)})` };
  if (isSamePlace(text, textOf(memberOf(found.server, 'registration_endpoint')))) {
    return { is: 'client_registration', url: text, why: 'is the registration_endpoint of OAuth' };
  }
  if (CLIENT_REGISTRATION.test(url.pathname)) {
    return {
      is: 'client_registration',
      url: text,
      why: `ends as those of OAuth do (${shown(url.pathname, 60)})`,
    };
  }
  if (EITHER.test(url.pathname) && !looksLikeApi(url) && signsInByPage(found)) {
    return {
      is: 'nothing',
      why: `is a page where people make an account (${shown(url.pathname, 60)}), as the server offers ordinary sign-in alone`,
    };
  }
  return { is: 'real', url: text, wasRelative: isRelative(given) };
}

function sameAs(found: Found, url: string): string | undefined {
  for (const [member, what] of ELSEWHERE) {
    for (const object of [found.block ?? {}, found.server, found.resource]) {
      if (isSamePlace(url, textOf(memberOf(object, member)))) return what;
    }
  }
  const issuer = textOf(memberOf(found.server, 'issuer'));
  if (isSamePlace(url, issuer)) return 'the issuer itself';
  const resource =
    textOf(memberOf(found.resource, 'resource')) ?? textOf(memberOf(found.server, 'resource'));
  if (isSamePlace(url, resource)) return 'the resource itself';
  return url.includes(PROTECTED_RESOURCE_PATH) ? 'the metadata of the resource' : undefined;
}

/** Grants of ordinary sign-in are listed, and none by which an agent could go on. */
function signsInByPage({ server }: Found): boolean {
  const grants = namesOf(memberOf(server, 'grant_types_supported'), 200);
  return (
    textOf(memberOf(server, 'authorization_endpoint')) !== undefined &&
    !grants.some((grant) => /jwt-bearer|:claim(_token)?$/.test(grant))
  );
}

function looksLikeApi({ hostname, pathname }: URL): boolean {
  return /^api\./i.test(hostname) || /\/(api|agents?|v\d+)\//i.test(pathname);
}

/** A URL of a developer's machine or network, in a document that is not from there. */
function isOnCallersMachine({ hostname }: URL, base: string | undefined): boolean {
  const home = webUrl(base);
  return home !== undefined && !mayReach(home.hostname, hostname);
}
