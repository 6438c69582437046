import { INPUT, readInput, SECRET_NAMES } from './secret-names.ts';

/** How much of an answer is searched; less of it is shown. */
const MAX_SEARCHED = 64 * 1024;

/** The secrets of an answer: tokens, codes, links, hidden fields, cookies. */
export function secretsOf(
  headers: readonly (readonly [string, string])[],
  body: string,
): readonly string[] {
  const searched = body.slice(0, MAX_SEARCHED);
  return [
    ...headers.flatMap(([name, value]) => ofHeader(name.toLowerCase(), value)),
    ...(/^\s*[[{]/.test(searched) ? ofJson(searched) : ofPage(searched)),
  ];
}

/** The random words of a secret, by which it is found in another encoding. */
export function secretWords(secret: string): readonly string[] {
  // An email address or a time occurs in many places, and gives no access.
  if (/@|%40|^\d{4}-\d\d-\d\d/.test(secret)) return [];
  return (secret.match(/[\w-]{6,}/g) ?? []).filter(looksRandom);
}

function looksRandom(word: string): boolean {
  return /\d/.test(word) || word.length >= 24 || /^[A-Z]{3,6}-[A-Z]{3,6}$/.test(word);
}

function ofHeader(name: string, value: string): readonly string[] {
  if (name === 'set-cookie') return [/^[^=;]*=([^;]*)/.exec(value)?.[1] ?? ''];
  return name === 'location' ? ofLink(value) : [];
}

function ofJson(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (name: string, value: unknown): unknown => {
    if (SECRET_NAMES.includes(name)) found.push(String(value));
    else if (typeof value === 'string' && /^(verification|claim)_ur[il]/.test(name)) {
      found.push(...ofLink(value));
    }
    return value;
  };
  try {
    JSON.parse(text, visit);
  } catch {
    // Broken JSON is judged by the checks.
  }
  return found;
}

function ofPage(text: string): readonly string[] {
  return (text.match(INPUT) ?? []).flatMap((input) => {
    const { type, value = '' } = readInput(input);
    return type === 'hidden' ? ofValue(value) : [];
  });
}

/** What makes a link unguessable: the values of its query, and long parts of its path. */
function ofLink(link: string, depth = 0): readonly string[] {
  if (!URL.canParse(link, 'http://localhost')) return [];
  const { pathname, searchParams } = new URL(link, 'http://localhost');
  return [
    ...[...searchParams.values()].flatMap((value) => ofValue(value, depth + 1)),
    ...pathname.split('/').filter((part) => part.length >= 16),
  ];
}

/** A link in a link in a link. */
const DEEPEST = 3;

/** A URL is no secret, what it carries may be one: an audience stays readable, a token in a link does not. */
function ofValue(value: string, depth = 0): readonly string[] {
  const isUrl = depth < DEEPEST && /^(https?:\/)?\//.test(value);
  return isUrl ? ofLink(value, depth) : [value];
}
