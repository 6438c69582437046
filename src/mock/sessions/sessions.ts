import { MEDIA_TYPE } from '../../protocol/constants.ts';
import { HOUR, MINUTE } from '../../protocol/durations.ts';
import { mediaTypeOf } from '../../protocol/media-type.ts';
import { constantTimeEqual, sha256 } from '../../runtime/hash.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { Context } from '../http/context.ts';
import { wireProblem } from '../http/problems.ts';
import { readCookie } from '../http/read-cookie.ts';
import type { Database } from '../store/database.ts';
import { isFromOwnPage } from './request-origin.ts';
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

interface SessionsOptions {
  /** With its tables. */
  readonly db: Database;
  /** Also names the cookie: cookies do not know ports, and both mocks may run on one host. */
  readonly owner: SessionOwner;
  /** The mock's own origin; the cookie is `Secure` when it is https. */
  readonly origin: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Headers of the reply that starts, moves or ends a session. */
type CookieHeader = Readonly<Record<string, string>>;

/** A program's form: each browser sends it. */
const ORIGIN_MISSING = 'Origin is missing: send the origin of the page with its form.';

const SIGNED_IN_FOR = 12 * HOUR;
const WAITING_FOR = 30 * MINUTE;
const ID = /^[A-Za-z0-9_-]{27}$/;

/** Another cookie for each role, and on https one that no other host can set (RFC 6265bis §4.1.3.2). */
export function sessionCookieName(owner: SessionOwner, origin: string): string {
  return `${new URL(origin).protocol === 'https:' ? '__Host-' : ''}agent-auth-${owner}`;
}

/** Browser sessions. An id that this store did not create, or that has expired, is never accepted. */
export class Sessions {
  readonly origin: string;
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #cookieName: string;
  readonly #cookieFlags: string;

  constructor(options: SessionsOptions) {
    const { db, owner, origin, clock, random } = options;
    const secure = new URL(origin).protocol === 'https:';
    this.origin = origin;
    this.#store = new SessionStore(db, owner);
    this.#clock = clock;
    this.#random = random;
    this.#cookieName = sessionCookieName(owner, origin);
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

  /** Signs in under a new id and a new CSRF token: the earlier ones become useless. */
  async signIn(c: Context, key: string, email: string): Promise<CookieHeader> {
    const visitor: Visitor = { key, email, signedInAt: this.#clock.now() };
    return (await this.#start(this.#idHash(c), visitor)).headers;
  }

  async signOut(c: Context): Promise<CookieHeader> {
    const idHash = this.#idHash(c);
    if (idHash !== undefined) await this.#store.remove(idHash);
    return this.dropCookie();
  }

  /** Takes the cookie out of the browser; the session itself stays as it is. */
  dropCookie(): CookieHeader {
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
      isJson: mediaTypeOf(c.req.raw) === MEDIA_TYPE.json,
    };
    const sent = token ?? c.req.header('x-csrf-token') ?? '';
    if (isFromOwnPage(source, this.origin) && constantTimeEqual(sent, session.csrfToken)) return;
    const isUnsaid = source.origin === undefined && source.fetchSite === undefined;
    throw wireProblem('complete', 'csrf_failed', {
      ...(isUnsaid && !source.isJson && { description: ORIGIN_MISSING }),
    });
  }

  async #start(oldIdHash: string | undefined, visitor?: Visitor) {
    const now = this.#clock.now();
    const id = randomToken(this.#random, '');
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
    const id = readCookie(c, this.#cookieName);
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
