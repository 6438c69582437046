import { mayReach, PROTECTED_RESOURCE_PATH } from '../protocol/index.ts';
import type { Found } from './found.ts';
import { memberOf, namesOf, shown, textAt } from './read.ts';
import { absolute, isInsecure, isRelative, isSamePlace, webUrl } from './url.ts';

/** Whether agents can register at a URL, as far as documents tell. */
export interface UrlJudgement {
  readonly is: 'real' | 'client_registration' | 'nothing';
  /** `undefined` for what is none. */
  readonly url: string | undefined;
  /** A clause that follows "the URL to register at". */
  readonly why: string;
}

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
  const text = typeof given === 'string' ? absolute(given, found.base) : undefined;
  const nothing = whyNothing(found, given, text);
  if (nothing !== undefined) return { is: 'nothing', url: undefined, why: nothing };
  const client = whyClientRegistration(found, text);
  return client === undefined
    ? { is: 'real', url: text, why: 'is a URL' }
    : { is: 'client_registration', url: text, why: client };
}

function whyNothing(found: Found, given: unknown, text: string | undefined): string | undefined {
  if (given === null) return 'is null';
  if (typeof given !== 'string' || text === undefined) return 'is no text';
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(given)?.[1]?.toLowerCase();
  if (scheme === 'mailto') return 'is an e-mail address (mailto:)';
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return `is not of http or https (${shown(scheme, 20)}:)`;
  }
  if (/[{}<>]/.test(given)) return 'is a template with a blank to fill in';
  const url = webUrl(text);
  if (url === undefined) return isRelative(given) ? 'names no host' : 'is not a URL';
  if (text.includes('#')) return 'is a place in a page (it has a fragment)';
  const elsewhere = sameAs(found, text);
  if (elsewhere !== undefined) return `is ${elsewhere}`;
  if (isInsecure(url, found.at)) return 'is of plain http, over which no agent may send a secret';
  const { hostname, pathname } = url;
  const last = pathname.split('/').findLast((part) => part !== '');
  if (last === undefined) return 'is the start page of the site';
  if (FILES.test(last)) return `is a file to read (${shown(last, 40)})`;
  if (pathname.includes('/.well-known/')) return 'is a metadata document';
  const home = webUrl(found.base);
  if (home !== undefined && !mayReach(home.hostname, hostname)) {
    return `is on the machine of whoever calls it (${shown(url.host, 60)})`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'has a user name or a password in it, which no agent may send';
  }
  const isApi = /^api\./i.test(hostname) || /\/(api|agents?|v\d+)\//i.test(pathname);
  const page = (what: string, length = 60) => `is a page for people (${shown(what, length)})`;
  if (PROGRAMS.test(last) && !isApi) return page(last, 40);
  if (READING_HOSTS.test(hostname)) return `is documentation to read (${shown(hostname, 60)})`;
  if (READING_PATHS.test(pathname)) return `is documentation to read (${shown(pathname, 60)})`;
  if (PAGE_HOSTS.test(hostname)) return page(hostname);
  if (PAGES.test(last) || (PAGES_OR_API.test(last) && !isApi)) return page(pathname);
  const isAccount = EITHER.test(pathname) && !isApi && signsInByPage(found);
  return isAccount && whyClientRegistration(found, text) === undefined
    ? `is a page where people make an account (${shown(pathname, 60)}), as the server offers ordinary sign-in alone`
    : undefined;
}

function whyClientRegistration({ server }: Found, text: string | undefined): string | undefined {
  if (isSamePlace(text, textAt(server, 'registration_endpoint'))) {
    return 'is the registration_endpoint of OAuth';
  }
  const path = webUrl(text)?.pathname ?? '';
  return CLIENT_REGISTRATION.test(path)
    ? `ends as those of OAuth do (${shown(path, 60)})`
    : undefined;
}

function sameAs({ block = {}, server, resource }: Found, url: string): string | undefined {
  for (const [member, what] of ELSEWHERE) {
    const objects = [block, server, resource];
    if (objects.some((object) => isSamePlace(url, textAt(object, member)))) return what;
  }
  if (isSamePlace(url, textAt(server, 'issuer'))) return 'the issuer itself';
  const named = textAt(resource, 'resource') ?? textAt(server, 'resource');
  if (isSamePlace(url, named)) return 'the resource itself';
  return url.includes(PROTECTED_RESOURCE_PATH) ? 'the metadata of the resource' : undefined;
}

/** Grants of ordinary sign-in are listed, and none by which an agent could go on. */
function signsInByPage({ server }: Found): boolean {
  const grants = namesOf(memberOf(server, 'grant_types_supported'), 200);
  return (
    textAt(server, 'authorization_endpoint') !== undefined &&
    !grants.some((grant) => /jwt-bearer|:claim(_token)?$/.test(grant))
  );
}
