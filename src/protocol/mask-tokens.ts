import { withoutQuery } from './urls.ts';

/** A JWT, or a random word behind one of the prefixes of tokens, codes and links: wherever it stands. */
const TOKEN =
  /(?<![\w-])(?:eyJ[\w-]{5,}\.[\w-]*(?:\.[\w-]*){1,3}|(?:at|cat|cla|clm|ctl|dc|pat)_[\w-]{4,})/g;

/** A part of a path that nobody chose by hand, as in the links of other services; no id of ours. */
const RANDOM_PART = /^(?!(?:reg|usr)_)(?=.*\d)[\w~.-]{20,}$/;

/** A text for users and logs without the tokens in it. */
export function maskTokens(text: string, mask = '***'): string {
  return text.replace(TOKEN, mask);
}

/**
 * A path, or a URL without its query: a token is as much of a secret there as in a query. What is
 * shown keeps its escapes: decoded, they may be what a terminal obeys.
 */
export function maskPath(path: string, mask = '***'): string {
  return path
    .split('/')
    .map((part) => {
      const masked = maskTokens(part, mask);
      if (masked !== part) return maskEscaped(masked, mask);
      return RANDOM_PART.test(part) ? mask : maskEscaped(part, mask);
    })
    .join('/');
}

/** `%63at_…` is `cat_…`: a part that still hides a token is not shown at all. */
function maskEscaped(part: string, mask: string): string {
  const plain = decoded(part);
  return maskTokens(plain, mask) === plain ? part : mask;
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
