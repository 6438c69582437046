import {
  displayText,
  displayWord,
  hostReach,
  mayReach,
  parsedUrl,
  type UrlProblem,
  urlProblem,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AgentSettings } from '../context.ts';

/** Which URLs of a peer the agent may use. */
export interface UrlPolicy {
  readonly strict: boolean;
  /**
   * Origins that may be posted to besides the issuer's own, however near they are, and by plain http where a
   * user named them so.
   */
  readonly allowedOrigins: ReadonlySet<string>;
}

export function createUrlPolicy({
  strict,
  allowOrigins = [],
}: Pick<AgentSettings, 'strict' | 'allowOrigins'>): UrlPolicy {
  const allowedOrigins = new Set(allowOrigins.map((given) => parsedUrl(given)?.origin ?? ''));
  const policy = { strict: strict === true, allowedOrigins };
  for (const given of allowOrigins) requireUrl(policy, given, 'The allowed origin');
  return policy;
}

/** @throws AgentError `bad_address` for what a user gave. */
export function requireUrl(policy: UrlPolicy, url: string, what: string): string {
  const problem = urlProblem(url, policy.allowedOrigins);
  if (problem === undefined) return url;
  throw new AgentError(unusable(url, what, problem), { code: 'bad_address' });
}

/**
 * A URL of a peer that the agent will request. Of a narrower reach than the URL that named it, it is refused: a
 * service must not make the agent send requests to this machine or its network.
 * @throws AgentError `metadata_invalid`, or `foreign_origin` where the user may allow it.
 */
export function requirePeerUrl(
  { allowedOrigins }: UrlPolicy,
  url: string,
  what: string,
  namedBy: string,
): string {
  const problem = urlProblem(url, allowedOrigins);
  // Whoever was not allowed plain http before is not led to allow it now.
  if (problem === 'not_https' && new URL(namedBy).protocol === 'http:') {
    throw foreignOrigin(unusable(url, what, problem), url);
  }
  if (problem !== undefined) {
    throw new AgentError(unusable(url, what, problem), { code: 'metadata_invalid' });
  }
  const { href, hostname, origin } = new URL(url);
  if (!allowedOrigins.has(origin) && !mayReach(new URL(namedBy).hostname, hostname)) {
    const where = hostReach(hostname) === 'machine' ? 'on this machine' : 'in a private network';
    throw foreignOrigin(
      `${what} (${displayWord(url, 100)}) is ${where}, but ${displayText(namedBy, 100)} is not.`,
      url,
    );
  }
  return href;
}

function unusable(url: string, what: string, problem: UrlProblem): string {
  return `${what} cannot be used (${displayWord(url, 100)}): ${URL_PROBLEMS[problem]}.`;
}

function foreignOrigin(message: string, url: string): AgentError {
  const { origin } = new URL(url);
  return new AgentError(message, {
    code: 'foreign_origin',
    hint: `If you know that ${origin} belongs to the service, allow it with --allow-origin ${origin}.`,
  });
}

/**
 * A URL that the agent posts to: on the issuer's origin, or on one that was allowed (ASM-10).
 * @throws AgentError `foreign_origin` or `metadata_invalid`.
 */
export function requireEndpoint(
  policy: UrlPolicy,
  issuer: string,
  url: string,
  what: string,
): string {
  const endpoint = requirePeerUrl(policy, url, what, issuer);
  const { origin } = new URL(endpoint);
  if (origin !== new URL(issuer).origin && !policy.allowedOrigins.has(origin)) {
    throw foreignOrigin(
      `${what} is on ${origin}, not on the issuer's own origin ${new URL(issuer).origin}.`,
      origin,
    );
  }
  return endpoint;
}

/**
 * Whether a page may be opened or linked: https (or loopback, or allowed), no userinfo, on the origin of one of
 * `homes`.
 */
export function isOpenable(url: string, homes: readonly string[]): boolean {
  const origins = new Set(homes.map((home) => parsedUrl(home)?.origin));
  // A home of plain http is one that the user allowed.
  return urlProblem(url, origins) === undefined && origins.has(new URL(url).origin);
}

/**
 * A page for a user, as plain ASCII (an IDN host becomes punycode, A-31). It is printed even where it
 * may not be opened; other schemes than http and https are no page at all.
 * @throws AgentError `bad_answer`.
 */
export function requirePage(given: string, what: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new AgentError(`${what} is not the URL of a web page.`, { code: 'bad_answer' });
  }
  return url.href;
}

/** Why a URL cannot be used, to follow a colon. */
export const URL_PROBLEMS: Readonly<Record<UrlProblem, string>> = {
  not_a_url: 'it is not a URL',
  has_space: 'it has white space in it, which a URL writes as %20',
  not_http: 'it begins with neither https:// nor http://',
  not_https: 'http is allowed for this machine only; use https',
  has_userinfo: 'it contains a user name or a password',
  has_fragment: 'it contains a fragment (#)',
};
