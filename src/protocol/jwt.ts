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

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The longest JWT that is decoded, in characters. */
export const MAX_JWT_LENGTH = 16 * 1024;

/**
 * Header and claims of a compact JWS, **not verified**. `undefined` when it is none: other than three
 * parts, padding or white space (RFC 7515 §2), a member twice (RFC 7519 §4), a part that is no object.
 */
export function decodeJwt(token: string): DecodedJwt | undefined {
  if (token.length > MAX_JWT_LENGTH || !COMPACT.test(token)) return undefined;
  const [head = '', body = ''] = token.split('.');
  const header = decodePart(head);
  const payload = decodePart(body);
  return header && payload ? { header, payload } : undefined;
}

function decodePart(part: string): JsonObject | undefined {
  if (part.length % 4 === 1) return undefined;
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  try {
    // ASCII is itself, a character a byte: so are most, and every JWT goes through here.
    const isAscii = !/[\x80-\xff]/.test(binary);
    const text = isAscii
      ? binary
      : UTF8.decode(Uint8Array.from(binary, (each) => each.charCodeAt(0)));
    const result = parseJsonObject(text);
    return result.ok ? result.value : undefined;
  } catch {
    // Not UTF-8.
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
