import type { Context } from 'hono';
import { Refusal } from './site.ts';

export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

export function mediaType(c: Context): string {
  return (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export async function jsonOf(c: Context): Promise<Readonly<Record<string, unknown>>> {
  if (mediaType(c) !== 'application/json')
    throw new Refusal(415, 'invalid_request', 'Send application/json.');
  return objectOf(await utf8(c));
}

export function objectOf(text: string): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'invalid_request', 'The body is not JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'invalid_request', 'The body is not a JSON object.');
  return { ...body };
}

/** Undefined where it is left out. */
export function stringIn(
  body: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed())
    throw new Refusal(400, 'invalid_request', `The member ${name} has to be a string.`);
  return value;
}

export function required(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = stringIn(body, name);
  if (value === undefined || value === '')
    throw new Refusal(400, 'invalid_request', `The member ${name} is missing.`);
  return value;
}

/** Each parameter at most once; one without a value counts as left out (RFC 6749 §3.2). */
export async function formOf(c: Context): Promise<Readonly<Record<string, string>>> {
  if (mediaType(c) !== 'application/x-www-form-urlencoded')
    throw new Refusal(415, 'invalid_request', 'Send application/x-www-form-urlencoded.');
  const pairs = [...new URLSearchParams(await utf8(c))];
  const form = Object.fromEntries(pairs);
  if (Object.keys(form).length !== pairs.length)
    throw new Refusal(400, 'invalid_request', 'A parameter was sent twice.');
  if (pairs.some(([, value]) => value.includes('\0')))
    throw new Refusal(400, 'invalid_request', 'A parameter contains U+0000.');
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

export async function utf8(c: Context): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await c.req.arrayBuffer());
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof TypeError)) throw error;
    throw new Refusal(400, 'invalid_request', 'The body is not UTF-8.');
  }
}
