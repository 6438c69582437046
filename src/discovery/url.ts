import { displayText, isLoopbackHost, parsedUrl, withoutFinalSlash } from '../protocol/index.ts';

/** A URL of http or https; `undefined` for anything else: templates as `/agents/{id}`, invisible characters. */
export function webUrl(text: string | undefined): URL | undefined {
  if (text === undefined || /[{}<>\s]/.test(text)) return undefined;
  if (displayText(text, Number.POSITIVE_INFINITY) !== text) return undefined;
  const url = parsedUrl(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** Plain http elsewhere; not of the origin that a document came from so, as its user allowed that. */
export function isInsecure({ hostname, origin, protocol }: URL, at: string | undefined): boolean {
  return protocol === 'http:' && !isLoopbackHost(hostname) && webUrl(at)?.origin !== origin;
}

/** Whether two URLs lead to one place: query, fragment and final slash aside. */
export function isSamePlace(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [webUrl(one), webUrl(other)];
  if (a === undefined || b === undefined) return false;
  return a.origin === b.origin && withoutFinalSlash(a.pathname) === withoutFinalSlash(b.pathname);
}

/** A path without a host, which some documents give where a URL belongs. */
export function isRelative(text: string): boolean {
  return /^\/(?!\/)/.test(text) && !/[{}<>\s]/.test(text);
}

/** The same URL made absolute by where its document is from; as it is where that is not known. */
export function absolute(text: string, base: string | undefined): string {
  const home = webUrl(base);
  return isRelative(text) && home !== undefined ? new URL(text, home.origin).href : text;
}

/** Whether two texts differ in a final slash at most. */
export function areAlike(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return withoutFinalSlash(one) === withoutFinalSlash(other);
}
