import { withoutQuery } from './urls.ts';

/** A character of a part of a JWT: base64url, and what others write in its place (RFC 4648 §4), also as in a form. */
const OF_JWT = '(?:[\\w+/=-]|%2[BbFf]|%3[Dd])';
/** Between two parts, where somebody broke the line, too. */
const DOT = '\\.(?:\\r?\\n|\\\\n)?';

/**
 * A JWT, or a random word behind one of the prefixes of tokens, codes and links: wherever it stands, also
 * after an escape such as `\n`.
 */
const TOKEN = new RegExp(
  `(?:(?<![\\w-])|(?<=\\\\[bfnrt]))(?:eyJ${OF_JWT}{5,}${DOT}${OF_JWT}*(?:${DOT}${OF_JWT}*){1,3}|(?:art|at|cat|cla|clm|csr|ctl|cvt|dc|pat|sk)_[\\w-]{4,})`,
  'g',
);

/** A part of a path that nobody chose by hand, as in the links of other services; no id of ours. */
const RANDOM_PART = /^(?!(?:reg|usr)_)(?=.*\d)[\w~.-]{20,}$/;

/** What stands in the place of a token: always the same, or made from it. */
export type Mask = string | ((token: string) => string);

/** A text for users and logs without the tokens in it. */
export function maskTokens(text: string, mask: Mask = '***'): string {
  return text.replace(TOKEN, (token) => masked(token, mask));
}

/**
 * A path, or a URL without its query: a token is as much of a secret there as in a query. What is
 * shown keeps its escapes: decoded, they may be what a terminal obeys.
 */
export function maskPath(path: string, mask: Mask = '***'): string {
  return path
    .split('/')
    .map((part) => {
      const shown = maskTokens(part, mask);
      if (shown !== part) return maskEscaped(shown, mask);
      return RANDOM_PART.test(part) ? masked(part, mask) : maskEscaped(part, mask);
    })
    .join('/');
}

/** `%63at_…` is `cat_…`: a part that still hides a token is not shown at all. */
function maskEscaped(part: string, mask: Mask): string {
  const plain = decoded(part);
  return maskTokens(plain, mask) === plain ? part : masked(plain, mask);
}

function masked(token: string, mask: Mask): string {
  return typeof mask === 'string' ? mask : mask(token);
}

/** A URL for a line that is to be typed again: its origin alone where its path may be a secret. */
export function printableUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return maskPath(pathname) === pathname ? withoutQuery(url) : origin;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
