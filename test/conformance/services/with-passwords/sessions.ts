import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Account } from './accounts.ts';

const COOKIE = 'portal_session';
const LIFE_MS = 8 * 60 * 60_000;

export interface Session {
  readonly id: string;
  readonly csrf: string;
  readonly endsAt: number;
  account?: Account;
  /** What the first step of the sign-in was given. */
  typedEmail?: string;
  wrongCodes: number;
}

export class Sessions {
  readonly #byId = new Map<string, Session>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(c: Context): Session | undefined {
    const session = this.#byId.get(getCookie(c, COOKIE) ?? '');
    return session !== undefined && session.endsAt > this.#now() ? session : undefined;
  }

  ofOrNew(c: Context): Session {
    return this.of(c) ?? this.#open(c);
  }

  /** A new id, a new CSRF token: what was known before the sign-in is worth nothing after it. */
  signIn(c: Context, account: Account): void {
    this.end(c);
    this.#open(c).account = account;
  }

  end(c: Context): void {
    const session = this.of(c);
    if (session !== undefined) this.#byId.delete(session.id);
    deleteCookie(c, COOKIE, { path: '/' });
  }

  #open(c: Context): Session {
    const session: Session = {
      id: randomBytes(24).toString('base64url'),
      csrf: randomBytes(24).toString('base64url'),
      endsAt: this.#now() + LIFE_MS,
      wrongCodes: 0,
    };
    this.#byId.set(session.id, session);
    setCookie(c, COOKIE, session.id, { httpOnly: true, sameSite: 'Lax', path: '/' });
    return session;
  }
}

export function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
