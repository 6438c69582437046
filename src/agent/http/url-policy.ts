import { displayText, isLoopbackHost, urlProblem } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AgentSettings } from '../context.ts';
import { URL_PROBLEMS } from './url-problems.ts';

/** Which URLs of a peer the agent may use. */
export interface UrlPolicy {
  readonly strict: boolean;
  /** Origins that may be posted to besides the issuer's own. */
  readonly allowedOrigins: ReadonlySet<string>;
}

export function createUrlPolicy({ strict, allowOrigins = [] }: AgentSettings): UrlPolicy {
  return {
    strict: strict === true,
    allowedOrigins: new Set(
      allowOrigins.map((given) => new URL(requireUrl(given, 'The allowed origin')).origin),
    ),
  };
}

/** @throws AgentError `bad_address` for what a user gave, `metadata_invalid` with `fromPeer`. */
export function requireUrl(url: string, what: string, fromPeer = false): string {
  const problem = urlProblem(url);
  if (problem === undefined) return url;
  throw new AgentError(
    `${what} cannot be used (${displayText(url, 100)}): ${URL_PROBLEMS[problem]}.`,
    {
      code: fromPeer ? 'metadata_invalid' : 'bad_address',
    },
  );
}

/**
 * A URL of a peer that the agent will request. One on this machine, named by another machine, is
 * refused: a service must not make the agent send requests to local servers.
 * @throws AgentError `metadata_invalid`.
 */
export function requirePeerUrl(url: string, what: string, namedBy: string): string {
  requireUrl(url, what, true);
  if (isOnThisMachine(url) && !isOnThisMachine(namedBy)) {
    throw new AgentError(
      `${what} (${displayText(url, 100)}) is on this machine, but ${displayText(namedBy, 100)} is not.`,
      { code: 'metadata_invalid' },
    );
  }
  return new URL(url).href;
}

function isOnThisMachine(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
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
  const endpoint = requirePeerUrl(url, what, issuer);
  const { origin } = new URL(endpoint);
  if (origin !== new URL(issuer).origin && !policy.allowedOrigins.has(origin)) {
    throw new AgentError(
      `${what} is on ${origin}, not on the issuer's own origin ${new URL(issuer).origin}.`,
      {
        code: 'foreign_origin',
        hint: `If you know that ${origin} belongs to the service, allow it with --allow-origin ${origin}.`,
      },
    );
  }
  return endpoint;
}

/**
 * Whether a page may be opened or linked: https (or loopback), no userinfo, on the origin of one of
 * `homes`.
 */
export function isOpenable(url: string, homes: readonly string[]): boolean {
  if (urlProblem(url) !== undefined) return false;
  const { origin } = new URL(url);
  return homes.some((home) => URL.canParse(home) && new URL(home).origin === origin);
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
