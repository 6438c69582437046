import type { Switch } from './bugs.ts';
import type { Db } from './db.ts';
import type { Jwts } from './jwts.ts';
import type { Post } from './post.ts';

/** Handed to every router. Times are milliseconds since 1970, lifetimes milliseconds. */
export interface App {
  readonly base: string;
  readonly db: Db;
  readonly jwts: Jwts;
  readonly post: Post;
  readonly bug: Switch;
  now(): number;
}

const MINUTE = 60_000;

export const LIFETIME = {
  attempt: 10 * MINUTE,
  window: 24 * 60 * MINUTE,
  token: 60 * MINUTE,
  assertion: 60 * MINUTE,
  claimed: 30 * 24 * 60 * MINUTE,
  login: 10 * MINUTE,
  visit: 12 * 60 * MINUTE,
  again: 10 * MINUTE,
} as const;

export const INTERVAL = 2;
export const BEFORE = 'api.read';
export const AFTER = 'api.read api.write';

/** An answer that is no success; `Fail.of(409, 'code', 'Text.')` is thrown, the router answers it. */
export class Fail extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

/** ASCII alone, lower-cased; undefined for what is no address. */
export function address(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 254) return undefined;
  if (!/^[!#-'*+\-./0-9=?A-Z^_`a-z{|}~]+@[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)+$/.test(value))
    return undefined;
  return value.toLowerCase();
}

/** A member of a body that has to be a string; undefined where it is left out. */
export function member(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Fail(400, 'invalid_request', 'Send a JSON object.');
  const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.includes('\u0000') || !value.isWellFormed())
    throw new Fail(400, 'invalid_request', `${name} has to be a string.`);
  return value;
}

export function needed(body: unknown, name: string): string {
  const value = member(body, name);
  if (value === undefined || value === '')
    throw new Fail(400, 'invalid_request', `${name} is missing.`);
  return value;
}
