/** The longest path and query to go back to after signing in, in characters. */
export const MAX_RETURN_LENGTH = 4096;
const MAX_DECODINGS = 5;

/** Where to go back to after signing in: the path of `value` if it may be one, else `fallback`. */
export type ReturnTo = (value: string | undefined, origin: string, fallback: string) => string;

/**
 * The path and query to go back to after signing in, or `fallback`. Only a path of our own origin,
 * however often its other readings are decoded; never a sign-in page, which would loop.
 */
export function safeReturnTo(value: string | undefined, origin: string, fallback: string): string {
  if (value === undefined || value.length > MAX_RETURN_LENGTH || !isPlainPath(value))
    return fallback;
  if (!URL.canParse(value, origin)) return fallback;
  const url = new URL(value, origin);
  // Dot segments can leave two slashes at the start: `/.//host` is the path `//host`.
  if (url.origin !== origin || !isPlainPath(url.pathname)) return fallback;
  if (/^\/log(?:in|out)(?:\/|$)/.test(url.pathname)) return fallback;
  return url.pathname + url.search;
}

function isPlainPath(value: string): boolean {
  let path = value.split(/[?#]/, 1).join('');
  if (hasControls(value)) return false;
  for (let depth = 0; depth <= MAX_DECODINGS; depth += 1) {
    if (!path.startsWith('/') || path.startsWith('//')) return false;
    if (path.includes('\\') || hasControls(path)) return false;
    const decoded = decode(path);
    if (decoded === undefined) return false;
    if (decoded === path) return true;
    path = decoded;
  }
  return false;
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  return /[\u0000-\u0020\u007f]/.test(text);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
