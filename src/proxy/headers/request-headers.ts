import type { MapText } from '../text/map-json-strings.ts';
import type { CookieNames } from './cookie-names.ts';
import { dropHopByHop } from './hop-by-hop.ts';

interface HeaderPlace {
  /** What the server is told in place of a text. */
  readonly map: MapText;
  readonly cookies: CookieNames;
  /** The origin of the server. */
  readonly real: string;
}

/**
 * The headers of a request as the server gets them: of its own host, with its own URLs. What depends on the
 * length of a body is left out.
 */
export function requestHeaders(given: Headers, { cookies, map, real }: HeaderPlace): Headers {
  const kept = new Headers(given);
  dropHopByHop(kept);
  // Node answers it (RFC 9110 §10.1.1); compressed answers would have to be unpacked.
  for (const name of ['content-length', 'cookie', 'expect', 'accept-encoding']) kept.delete(name);
  const headers = new Headers();
  for (const [name, value] of kept) headers.append(name, map(value));
  headers.set('host', new URL(real).host);
  headers.set('accept-encoding', 'identity');
  const own = cookies.toReal(given.get('cookie') ?? '');
  if (own !== undefined) headers.set('cookie', own);
  return headers;
}

/** Names this proxy, so that it knows what comes back to it (RFC 9110 §7.6.3). */
export function withVia(given: Headers, pseudonym: string): Headers {
  const headers = new Headers(given);
  const before = headers.get('via');
  headers.set('via', `${before === null ? '' : `${before}, `}1.1 ${pseudonym}`);
  return headers;
}
