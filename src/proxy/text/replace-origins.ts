import { parsedUrl } from '../../protocol/index.ts';

/** What stands in the place of an origin; `undefined`: it stays. */
export type MapOrigin = (origin: string) => string | undefined;

/** A scheme, and the host and port after it (RFC 3986 §3.2). */
const START = /(?<![\w+.-])https?:\/\/[\w.~:%[\]-]+/gi;
/** What ends a sentence or a bracket there, and no host. */
const PUNCTUATION = '.:]~-';
/** The longest one that is looked at: a host has 253 characters (RFC 1035 §2.3.4). */
const LONGEST = 300;
const END_OF_AUTHORITY = /[\s/?#"'<>\\]/;

/**
 * A text in which the origins of URLs are replaced, wherever they stand. What is in a URL after its origin
 * stays, and so does one that names a user: its host is another one than it seems to be.
 */
export function replaceOrigins(text: string, map: MapOrigin): string {
  // Most texts have no URL at all.
  if (!text.includes('://')) return text;
  return text.replace(START, (all, offset: number) => {
    if (all.length > LONGEST || namesUser(text, offset + all.length)) return all;
    const url = withoutPunctuation(all);
    const origin = parsedUrl(url)?.origin;
    const mapped = origin === undefined ? undefined : map(origin);
    return mapped === undefined ? all : mapped + all.slice(url.length);
  });
}

function namesUser(text: string, end: number): boolean {
  const rest = text.slice(end, end + LONGEST);
  const authority = rest.slice(0, rest.search(END_OF_AUTHORITY) >>> 0);
  return authority.includes('@');
}

function withoutPunctuation(url: string): string {
  let end = url.length;
  while (PUNCTUATION.includes(url.charAt(end - 1))) {
    // The end of an IPv6 address.
    if (url.charAt(end - 1) === ']' && url.includes('[')) break;
    end -= 1;
  }
  return url.slice(0, end);
}
