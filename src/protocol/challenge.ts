/** `WWW-Authenticate` challenges, RFC 9110 §11.6.1. */

export interface Challenge {
  /** The scheme as sent; compare it case-insensitively. */
  readonly scheme: string;
  /** Names lower-cased, first value wins. */
  readonly params: Readonly<Record<string, string>>;
  /** The names of parameters whose value is no token and is not quoted (RFC 9110 §11.2). */
  readonly unquoted: readonly string[];
}

const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const WHOLE_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SPACE = /[ \t]*/y;
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
// Seen in the wild: an unquoted URL as a value. RFC 9110 allows only a token there.
const UNQUOTED = /[^\s,"]+/y;

/**
 * All challenges of a header field, several in one field included. Unknown schemes are returned like
 * known ones; what cannot be read is passed over, never thrown.
 */
export function parseChallenges(field: string): readonly Challenge[] {
  const challenges: { scheme: string; params: Record<string, string>; unquoted: string[] }[] = [];
  let at = 0;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(field);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match[1] ?? match[0];
  };

  while (at < field.length) {
    take(SPACE);
    if (field[at] === ',') {
      at += 1;
      continue;
    }
    const word = take(TOKEN);
    if (word === undefined) {
      at = nextComma(field, at);
      continue;
    }
    const afterWord = at;
    take(SPACE);
    const current = challenges.at(-1);
    if (field[at] === '=' && current !== undefined) {
      at += 1;
      take(SPACE);
      const quoted = take(QUOTED);
      const value = quoted === undefined ? take(UNQUOTED) : quoted.replace(/\\(.)/gs, '$1');
      const name = word.toLowerCase();
      if (value === undefined || Object.hasOwn(current.params, name)) continue;
      current.params[name] = value;
      if (quoted === undefined && !WHOLE_TOKEN.test(value)) current.unquoted.push(name);
    } else if (field[at] !== '=') {
      const params = Object.create(null) as Record<string, string>;
      challenges.push({ scheme: word, params, unquoted: [] });
      // A token68 belongs to its scheme and names no parameter.
      if (at > afterWord) take(TOKEN68);
    } else {
      at = nextComma(field, at);
    }
  }
  return challenges;
}

/** The first challenge of a scheme. */
export function findChallenge(field: string, scheme: string): Challenge | undefined {
  const wanted = scheme.toLowerCase();
  return parseChallenges(field).find((challenge) => challenge.scheme.toLowerCase() === wanted);
}

/**
 * A challenge with every value quoted; members that are `undefined` are left out.
 * @throws TypeError when a value could split the header.
 */
export function buildChallenge(
  scheme: string,
  params: Readonly<Record<string, string | number | undefined>>,
): string {
  const parts = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quote(String(value))}`],
  );
  return parts.length === 0 ? scheme : `${scheme} ${parts.join(', ')}`;
}

function quote(value: string): string {
  if (!/^[\x20-\x7e]*$/.test(value)) {
    throw new TypeError('A challenge value must be printable ASCII.');
  }
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

function nextComma(field: string, from: number): number {
  const comma = field.indexOf(',', from);
  return comma === -1 ? field.length : comma + 1;
}
