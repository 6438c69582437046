import { displayText, isLoopbackHost, urlProblem } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AgentSettings } from '../context.ts';

/** Which addresses of a peer the agent uses. */
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

const PROBLEMS = {
  not_a_url: 'it is not an address',
  not_https: 'plain http is for this machine alone; https is required',
  has_userinfo: 'it carries a user name or a password',
  has_fragment: 'it carries a fragment (#)',
} as const;

/** @throws AgentError `bad_address` for what a person gave, `metadata_invalid` with `fromPeer`. */
export function requireUrl(address: string, what: string, fromPeer = false): string {
  const problem = urlProblem(address);
  if (problem === undefined) return address;
  throw new AgentError(
    `${what} cannot be used (${displayText(address, 100)}): ${PROBLEMS[problem]}.`,
    { code: fromPeer ? 'metadata_invalid' : 'bad_address' },
  );
}

/**
 * An address of a peer that the agent will request. One on this machine, named by another machine, is
 * refused: a service must not make the agent knock on local doors.
 * @throws AgentError `metadata_invalid`.
 */
export function requirePeerUrl(address: string, what: string, namedBy: string): string {
  requireUrl(address, what, true);
  if (isOnThisMachine(address) && !isOnThisMachine(namedBy)) {
    throw new AgentError(
      `${what} (${displayText(address, 100)}) is on this machine, but ${displayText(namedBy, 100)} is not.`,
      { code: 'metadata_invalid' },
    );
  }
  return new URL(address).href;
}

function isOnThisMachine(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

/**
 * An address that the agent posts to: on the issuer's origin, or on one that was allowed (ASM-10).
 * @throws AgentError `foreign_origin` or `metadata_invalid`.
 */
export function requireEndpoint(
  policy: UrlPolicy,
  issuer: string,
  address: string,
  what: string,
): string {
  const endpoint = requirePeerUrl(address, what, issuer);
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
export function isOpenable(address: string, homes: readonly string[]): boolean {
  if (urlProblem(address) !== undefined) return false;
  const { origin } = new URL(address);
  return homes.some((home) => URL.canParse(home) && new URL(home).origin === origin);
}

/**
 * A page for a person, as plain ASCII (an IDN host becomes punycode, A-31). It is printed even where it
 * may not be opened; other schemes than http and https are no page at all.
 * @throws AgentError `bad_answer`.
 */
export function requirePage(address: string, what: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new AgentError(`${what} is not the address of a page.`, { code: 'bad_answer' });
  }
  return url.href;
}
