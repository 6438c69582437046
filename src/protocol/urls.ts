/** The well-known URLs of RFC 9728 §3.1 and RFC 8414 §3.1, and what makes a URL safe to use. */

export const PROTECTED_RESOURCE_PATH = '/.well-known/oauth-protected-resource';
/** Where the metadata of an authorization server lies (RFC 8414 §3). */
export const AUTHORIZATION_SERVER_PATH = '/.well-known/oauth-authorization-server';
/** Where a server that signs users in may publish the same (OpenID Connect Discovery §4). */
export const OPENID_CONFIGURATION_PATH = '/.well-known/openid-configuration';
/** Where a key set lies that no metadata names. */
export const JWKS_PATH = '/.well-known/jwks.json';

/** A URL in the one spelling that is compared. */
export function withoutFinalSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

/** The URL without query and fragment: a query may hold a secret. */
export function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url;
}

/**
 * The metadata URL of a resource: the well-known path inserted between host and path. A query is
 * no part of the identifier (wire contract §2).
 */
export function protectedResourceMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  // Only the slash right after the host goes; any other is part of the identifier.
  return origin + PROTECTED_RESOURCE_PATH + (pathname === '/' ? '' : pathname);
}

/**
 * Where an issuer's metadata may lie, best first: inserted (RFC 8414 §3.1), plain, appended. The
 * latter two are tried after a 404 alone. An issuer without a path has one URL.
 */
export function authorizationServerMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  return [
    ...new Set([
      origin + AUTHORIZATION_SERVER_PATH + withoutFinalSlash(pathname),
      origin + AUTHORIZATION_SERVER_PATH,
      withoutFinalSlash(issuer) + AUTHORIZATION_SERVER_PATH,
    ]),
  ];
}

/** Where else an issuer that signs users in may publish the same: inserted (RFC 8414 §5), appended. */
export function openidConfigurationUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  return [
    ...new Set([
      origin + OPENID_CONFIGURATION_PATH + withoutFinalSlash(pathname),
      withoutFinalSlash(issuer) + OPENID_CONFIGURATION_PATH,
    ]),
  ];
}

/**
 * A URL, or `undefined`. `URL.canParse` is not asked: once Node 20 has compiled a caller of it, it takes hosts
 * with letters such as `ü` for wrong.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Why a URL may not be requested. */
export type UrlProblem =
  | 'not_a_url'
  | 'has_space'
  | 'not_http'
  | 'not_https'
  | 'has_userinfo'
  | 'has_fragment';

/**
 * Whether a URL may be requested: absolute, `https` (plain `http` only for loopback and for the origins that
 * a user allowed), without white space, userinfo or fragment. `undefined` when it may.
 */
export function urlProblem(
  given: string,
  allowed?: ReadonlySet<string | undefined>,
): UrlProblem | undefined {
  const url = parsedUrl(given);
  if (url === undefined) return 'not_a_url';
  // Parsers take spaces; in a sentence they would make words of a stranger ours (RFC 3986 §2 has none).
  if (/\S\s+\S/.test(given)) return 'has_space';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not_http';
  const isPlain = url.protocol === 'http:' && !isLoopbackHost(url.hostname);
  if (isPlain && !allowed?.has(url.origin)) return 'not_https';
  if (url.username !== '' || url.password !== '') return 'has_userinfo';
  if (given.includes('#')) return 'has_fragment';
  return undefined;
}

/** Whether a URL's `hostname` is this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname) ||
    hostname === '[::1]' ||
    hostname === '::1'
  );
}

/** Whether a URL is an origin as it is written: scheme and host of `http` or `https`, without a final slash. */
export function isHttpOrigin(url: string): boolean {
  return /^https?:/.test(url) && parsedUrl(url)?.origin === url;
}

/** Whether two URLs have the same scheme, host and port (RFC 6454 §4). What is no URL has no origin. */
export function isSameOrigin(url: string, other: string): boolean {
  const [one, two] = [parsedUrl(url), parsedUrl(other)];
  return one !== undefined && two !== undefined && one.origin === two.origin;
}

type Place = Pick<URL, 'origin' | 'pathname'>;

/** How many places are kept: each call of a resource asks for two, nearly always the same ones. */
const MOST_PLACES = 256;
const MAX_PLACE_LENGTH = 512;
const places = new Map<string, Place>();

function placeOf(text: string): Place | undefined {
  const known = places.get(text);
  if (known !== undefined) return known;
  const url = parsedUrl(text);
  if (url === undefined || text.length > MAX_PLACE_LENGTH) return url;
  if (places.size >= MOST_PLACES) places.clear();
  const place = { origin: url.origin, pathname: url.pathname };
  places.set(text, place);
  return place;
}

/** Whether two URLs have the same origin, and `prefix` is a path prefix of `url` that ends at a segment boundary. */
export function covers(prefix: string, url: string): boolean {
  const [around, within] = [placeOf(prefix), placeOf(url)];
  if (around === undefined || around.origin !== within?.origin) return false;
  const outer = withoutFinalSlash(around.pathname);
  const inner = within.pathname;
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Where agents look for the metadata of a resource: as RFC 9728 §3.1 says, then plain, then appended. */
export function resourceMetadataUrls(resource: string): readonly string[] {
  const base = withoutFinalSlash(resource);
  return [
    ...new Set([
      protectedResourceMetadataUrl(resource),
      protectedResourceMetadataUrl(base),
      new URL(base).origin + PROTECTED_RESOURCE_PATH,
      base + PROTECTED_RESOURCE_PATH,
    ]),
  ];
}
