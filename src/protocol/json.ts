import { MAX_JSON_DEPTH } from './constants.ts';
import { isStorableText } from './text.ts';

/** A JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Why a text is not an acceptable JSON object. */
export type JsonProblem =
  | 'not_json'
  | 'not_an_object'
  | 'too_deep'
  | 'duplicate_member'
  | 'unstorable_text';

/** What {@link parseJsonObject} gives: the object, or why there is none. */
export type JsonResult =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: JsonProblem };

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

// An unterminated string is one token to the end: looked at once, not again from each quote in it.
const STRUCTURE = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\],]/gs;

/**
 * Reads one JSON object from a peer: nesting at most {@link MAX_JSON_DEPTH}, no member twice
 * (RFC 7519 §4, A-37), no string that cannot be stored (wire contract §3).
 */
export function parseJsonObject(text: string): JsonResult {
  // Depth is measured before parsing, so that nesting cannot exhaust the stack.
  if (isTooDeep(text)) return { ok: false, problem: 'too_deep' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'not_json' };
  }
  if (!isJsonObject(value)) return { ok: false, problem: 'not_an_object' };
  if (hasDuplicate(text, value)) return { ok: false, problem: 'duplicate_member' };
  if (!isPlain(text) && !isStorable(value)) return { ok: false, problem: 'unstorable_text' };
  return { ok: true, value };
}

/** Whether a value is an object of JSON: no array, not `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a text nests too deep. Most have too few brackets for that, wherever these are. */
function isTooDeep(text: string): boolean {
  let brackets = 0;
  for (let at = 0; at < text.length && brackets <= MAX_JSON_DEPTH; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) brackets += 1;
  }
  return brackets > MAX_JSON_DEPTH && inspectStructure(text).depth > MAX_JSON_DEPTH;
}

/** What is written again as it was has each member once: so do most texts, which are not walked then. */
function hasDuplicate(text: string, value: JsonObject): boolean {
  return JSON.stringify(value) !== text && inspectStructure(text).duplicate;
}

/** Whether a text has no escapes of single UTF-16 units and is well-formed: every string in it can be stored. */
function isPlain(text: string): boolean {
  return !text.includes('\\u') && text.isWellFormed();
}

/** Walks the brackets and member names of a text; its result for ill-formed JSON is not used. */
function inspectStructure(text: string): { depth: number; duplicate: boolean } {
  const open: (Set<string> | 'array')[] = [];
  let depth = 0;
  let duplicate = false;
  let expectsName = false;
  for (const [token] of text.matchAll(STRUCTURE)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : 'array');
      expectsName = token === '{';
      depth = Math.max(depth, open.length);
      if (depth > MAX_JSON_DEPTH) break;
    } else if (token === '}' || token === ']') {
      open.pop();
      expectsName = false;
    } else if (token === ',') {
      expectsName = open.at(-1) instanceof Set;
    } else if (expectsName) {
      const names = open.at(-1);
      const name = decodeName(token);
      if (names instanceof Set && name !== undefined) {
        duplicate ||= names.has(name);
        names.add(name);
      }
      expectsName = false;
    }
  }
  return { depth, duplicate };
}

/** `"\u0061lg"` and `"alg"` are the same member. */
function decodeName(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (Array.isArray(value)) return value.every(isStorable);
  if (isJsonObject(value)) {
    return Object.entries(value).every(
      ([name, member]) => isStorableText(name) && isStorable(member),
    );
  }
  return true;
}
