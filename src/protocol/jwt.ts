import { SECOND } from './durations.ts';
import { type JsonObject, parseJsonObject } from './json.ts';

/** A JWT in its parts. Nothing in it is verified. */
export interface DecodedJwt {
  /** Its header, not verified. */
  readonly header: JsonObject;
  /** Its claims, not verified. */
  readonly payload: JsonObject;
}

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

const NON_ASCII = /[\u0080-\u00ff]/;

/** The longest JWT that is decoded, in characters. */
export const MAX_JWT_LENGTH = 16 * 1024;
/** The longest header that is kept, in characters. */
const MAX_KEPT_HEADER = 512;

/**
 * Header and claims of a compact JWS, **not verified**. `undefined` when it is none: other than three
 * parts, padding or white space (RFC 7515 §2), a member twice (RFC 7519 §4), a part that is no object.
 */
export function decodeJwt(token: string): DecodedJwt | undefined {
  if (token.length > MAX_JWT_LENGTH || !COMPACT.test(token)) return undefined;
  const [head = '', body = ''] = token.split('.');
  const header = decodeHeader(head);
  const payload = decodePart(body);
  return header && payload ? { header, payload } : undefined;
}

/** What was decoded last: all JWTs of a kind that one key signs have the same header. */
let last: { readonly head: string; readonly header: JsonObject } | undefined;

function decodeHeader(head: string): JsonObject | undefined {
  if (head === last?.head) return last.header;
  const header = decodePart(head);
  if (header !== undefined && head.length <= MAX_KEPT_HEADER && isFlat(header)) {
    last = { head, header: Object.freeze(header) };
  }
  return header;
}

/** Whether freezing its top freezes it. */
function isFlat(header: JsonObject): boolean {
  return Object.values(header).every((value) => typeof value !== 'object' || value === null);
}

function decodePart(part: string): JsonObject | undefined {
  if (part.length % 4 === 1) return undefined;
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  // ASCII is its own UTF-8: most parts need no decoding.
  const text = NON_ASCII.test(binary) ? decodeUtf8(binary) : binary;
  const result = text === undefined ? undefined : parseJsonObject(text);
  return result?.ok ? result.value : undefined;
}

/** @param binary a byte in each character. */
function decodeUtf8(binary: string): string | undefined {
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A NumericDate (RFC 7519 §2) in whole milliseconds. */
export function toMilliseconds(numericDate: number): number {
  return Math.floor(numericDate * SECOND);
}

/** Whether a `typ` header names a kind: case-insensitive, with or without `application/` (RFC 7515 §4.1.9). */
export function isJwtType(typ: unknown, kind: string): boolean {
  if (typeof typ !== 'string') return false;
  return typ.toLowerCase().replace(/^application\//, '') === kind.toLowerCase();
}
