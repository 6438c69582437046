import { MEDIA_TYPE } from '../../protocol/constants.ts';
import { HOUR, MINUTE } from '../../protocol/durations.ts';
import { mediaTypeOf } from '../../protocol/media-type.ts';
import { constantTimeEqual, sha256 } from '../../runtime/hash.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { readCookie } from '../http/read-cookie.ts';
import type { Context } from '../http/request.ts';
import { wireProblem } from '../http/response.ts';
import { AtomicStore, ExpiredRows } from '../store/atomic-store.ts';
import { column, type Database, type Row, type Transaction } from '../store/database.ts';
import { SHARED_TABLES } from '../store/tables.ts';

/** Whose sessions they are: both mocks may share a database. */
export type SessionOwner = 'service' | 'provider';

/** Who is signed in. */
export interface Visitor {
  /** What `onSignIn` returned for this email. */
  readonly key: string;
  readonly email: string;
  /** When the user signed in, in milliseconds. */
  readonly signedInAt: number;
}

export interface Session {
  readonly csrfToken: string;
  /** `undefined` before signing in. */
  readonly visitor: Visitor | undefined;
}

interface SessionsOptions {
  /** The database, with its tables. */
  readonly db: Database;
  /** The owner, which also names the cookie: cookies do not know ports, and both mocks may run on one host. */
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

/**
 * The name of the cookie: another one for each role, and on https one that no other host can set (RFC 6265bis
 * §4.1.3.2).
 */
function sessionCookieName(owner: SessionOwner, origin: string): string {
  return `${new URL(origin).protocol === 'https:' ? '__Host-' : ''}agent-auth-${owner}`;
}

/** Browser sessions. An id that this store did not create, or that has expired, is never accepted. */
export class Sessions extends AtomicStore {
  readonly origin: string;
  readonly #owner: SessionOwner;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #cookieName: string;
  readonly #cookieFlags: string;

  constructor({ db, owner, origin, clock, random }: SessionsOptions) {
    super(db, clock, new ExpiredRows(SHARED_TABLES.tables));
    const secure = new URL(origin).protocol === 'https:';
    this.origin = origin;
    this.#owner = owner;
    this.#clock = clock;
    this.#random = random;
    this.#cookieName = sessionCookieName(owner, origin);
    this.#cookieFlags = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  /** The request's session, if it has one. */
  async find(c: Context): Promise<Session | undefined> {
    const idHash = this.#idHash(c);
    if (idHash === undefined) return undefined;
    const row = await this.read((reader, now) =>
      reader.get('SELECT * FROM sessions WHERE owner = ? AND id_hash = ? AND expires_at > ?', [
        this.#owner,
        idHash,
        now,
      ]),
    );
    return row && toSession(row);
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
    await this.change((tx) => this.#remove(tx, this.#idHash(c)));
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
    const id = randomToken(this.#random, '');
    const lifetime = visitor ? SIGNED_IN_FOR : WAITING_FOR;
    const session: Session = { csrfToken: randomToken(this.#random, ''), visitor };
    await this.change(async (tx, now) => {
      await this.#remove(tx, oldIdHash);
      await tx.run(
        `INSERT INTO sessions (owner, id_hash, csrf_token, user_key, email, signed_in_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        [
          this.#owner,
          sha256(id),
          session.csrfToken,
          visitor?.key ?? null,
          visitor?.email ?? null,
          visitor?.signedInAt ?? null,
          now + lifetime,
        ],
      );
    });
    return { session, headers: this.#cookie(id, lifetime / 1000) };
  }

  async #remove(tx: Transaction, idHash: string | undefined): Promise<void> {
    if (idHash === undefined) return;
    await tx.run('DELETE FROM sessions WHERE owner = ? AND id_hash = ?', [this.#owner, idHash]);
  }

  #idHash(c: Context): string | undefined {
    const id = readCookie(c, this.#cookieName);
    return id !== undefined && ID.test(id) ? sha256(id) : undefined;
  }

  #cookie(id: string, maxAge: number): CookieHeader {
    return { 'set-cookie': `${this.#cookieName}=${id}; Max-Age=${maxAge}${this.#cookieFlags}` };
  }
}

function toSession(row: Row): Session {
  const csrfToken = column.text(row['csrf_token']);
  const [key, email] = [column.optionalText(row['user_key']), column.optionalText(row['email'])];
  const signedInAt = column.optionalNumber(row['signed_in_at']);
  const signedIn = key !== undefined && email !== undefined && signedInAt !== undefined;
  return { csrfToken, visitor: signedIn ? { key, email, signedInAt } : undefined };
}

/** What a browser says about where a request comes from. */
interface RequestSource {
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which no script can set. */
  readonly fetchSite: string | undefined;
  readonly isJson: boolean;
}

/**
 * Whether a request that changes something comes from our own pages (wire contract §5). With an `Origin`, it
 * must be ours; `null` passes when the browser confirms it (`Sec-Fetch-Site`). Without one, JSON passes, because a
 * page of another site cannot send it unasked; a form passes only when the browser confirms it,
 * since a browser that sends neither header could have been led here from anywhere.
 */
function isFromOwnPage(source: RequestSource, own: string): boolean {
  const { origin, fetchSite, isJson } = source;
  const isConfirmed = fetchSite === 'same-origin';
  if (origin === own) return true;
  if (origin === 'null') return isConfirmed;
  if (origin !== undefined) return false;
  return isConfirmed || (isJson && fetchSite === undefined);
}
