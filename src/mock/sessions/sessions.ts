import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { HOUR, MEDIA_TYPE, MINUTE } from '../../protocol/index.ts';
import {
  type Clock,
  constantTimeEqual,
  type Random,
  randomToken,
  sha256,
} from '../../runtime/index.ts';
import { mediaTypeOf, wireProblem } from '../http/index.ts';
import type { Database } from '../store/index.ts';
import { isFromOwnPage } from './request-origin.ts';
import { NO_SESSION_FAULTS, type SessionFaults } from './session-faults.ts';
import { type SessionOwner, SessionStore, type StoredSession } from './session-store.ts';

/** Who is signed in. */
export interface Visitor {
  /** What `onSignIn` returned for this email. */
  readonly key: string;
  readonly email: string;
  /** In milliseconds. */
  readonly signedInAt: number;
}

export interface Session {
  readonly csrfToken: string;
  /** `undefined` before signing in. */
  readonly visitor: Visitor | undefined;
}

export interface SessionsOptions {
  /** Migrated. */
  readonly db: Database;
  /** Also names the cookie: cookies do not know ports, and both mocks may run on one host. */
  readonly owner: SessionOwner;
  /** The mock's own origin; the cookie is `Secure` when it is https. */
  readonly origin: string;
  readonly clock: Clock;
  readonly random: Random;
  /** What is done wrong on purpose. Default: nothing. */
  readonly faults?: SessionFaults;
}

/** Headers of the reply that starts, moves or ends a session. */
export type CookieHeader = Readonly<Record<string, string>>;

const SIGNED_IN_FOR = 12 * HOUR;
const WAITING_FOR = 30 * MINUTE;
const ID = /^[A-Za-z0-9_-]{27}$/;

/** Browser sessions. An id that this store did not make, or that is over, is never taken up. */
export class Sessions {
  readonly origin: string;
  readonly faults: SessionFaults;
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #cookieName: string;
  readonly #cookieFlags: string;

  constructor(options: SessionsOptions) {
    const { db, owner, origin, clock, random } = options;
    const secure = new URL(origin).protocol === 'https:';
    this.origin = origin;
    this.faults = options.faults ?? NO_SESSION_FAULTS;
    this.#store = new SessionStore(db, owner);
    this.#clock = clock;
    this.#random = random;
    this.#cookieName = `${secure ? '__Host-' : ''}agent-auth-${owner}`;
    this.#cookieFlags = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  /** The request's session, if it has one. */
  async find(c: Context): Promise<Session | undefined> {
    const stored = await this.#load(c);
    return stored && toSession(stored);
  }

  /** The request's session, or a fresh one that carries the CSRF token of a sign-in form. */
  async ensure(c: Context): Promise<{ session: Session; headers: CookieHeader }> {
    const known = await this.find(c);
    if (known) return { session: known, headers: {} };
    return this.#start(undefined);
  }

  /** Signs in under a new id and a new CSRF token: nothing from before is of use. */
  async signIn(c: Context, key: string, email: string): Promise<CookieHeader> {
    const visitor: Visitor = { key, email, signedInAt: this.#clock.now() };
    const keep = this.faults.has('sessionIdKept') ? this.#id(c) : undefined;
    return (await this.#start(this.#idHash(c), visitor, keep)).headers;
  }

  async signOut(c: Context): Promise<CookieHeader> {
    const idHash = this.#idHash(c);
    if (idHash !== undefined && !this.faults.has('signOutOnlyHere')) {
      await this.#store.remove(idHash);
    }
    return this.#cookie('', 0);
  }

  /**
   * Refuses a request that our own page did not make: `csrf_failed`. `token` is the form's
   * `csrf_token`; the header `X-CSRF-Token` does as well.
   */
  checkCsrf(c: Context, session: Session, token: string | undefined): void {
    const source = {
      origin: c.req.header('origin'),
      fetchSite: c.req.header('sec-fetch-site'),
      isJson: mediaTypeOf(c) === MEDIA_TYPE.json,
    };
    const { faults } = this;
    const header = faults.has('headerTokenIgnored') ? undefined : c.req.header('x-csrf-token');
    const sent = token ?? header ?? '';
    const isOwn = faults.has('originUnchecked') || isFromOwnPage(source, this.origin, faults);
    if (isOwn && constantTimeEqual(sent, session.csrfToken)) return;
    throw wireProblem('complete', 'csrf_failed');
  }

  async #start(oldIdHash: string | undefined, visitor?: Visitor, keep?: string) {
    const now = this.#clock.now();
    const id = keep ?? randomToken(this.#random, '');
    const lifetime = visitor ? SIGNED_IN_FOR : WAITING_FOR;
    const stored: StoredSession = {
      idHash: sha256(id),
      csrfToken: randomToken(this.#random, ''),
      userKey: visitor?.key,
      email: visitor?.email,
      signedInAt: visitor?.signedInAt,
      expiresAt: now + lifetime,
    };
    await this.#store.replace(oldIdHash, stored, now);
    return { session: toSession(stored), headers: this.#cookie(id, lifetime / 1000) };
  }

  async #load(c: Context): Promise<StoredSession | undefined> {
    const idHash = this.#idHash(c);
    return idHash === undefined ? undefined : this.#store.find(idHash, this.#clock.now());
  }

  #idHash(c: Context): string | undefined {
    const id = this.#id(c);
    return id === undefined ? undefined : sha256(id);
  }

  #id(c: Context): string | undefined {
    const id = getCookie(c, this.#cookieName);
    return id !== undefined && ID.test(id) ? id : undefined;
  }

  #cookie(id: string, maxAge: number): CookieHeader {
    return { 'set-cookie': `${this.#cookieName}=${id}; Max-Age=${maxAge}${this.#cookieFlags}` };
  }
}

function toSession({ csrfToken, userKey, email, signedInAt }: StoredSession): Session {
  const signedIn = userKey !== undefined && email !== undefined && signedInAt !== undefined;
  return { csrfToken, visitor: signedIn ? { key: userKey, email, signedInAt } : undefined };
}
