import { randomBytes, timingSafeEqual } from 'node:crypto';

export interface Session {
  readonly id: string;
  /** To be sent back in every form of this session. */
  readonly csrf: string;
  /** Absent before the sign-in. */
  readonly email?: string;
  readonly until: number;
}

const LIFETIME = 30 * 60_000;

export function randomText(bytes = 24): string {
  return randomBytes(bytes).toString('base64url');
}

/** Compares in constant time. */
export function sameText(given: string | undefined, wanted: string): boolean {
  const left = Buffer.from(given ?? '');
  const right = Buffer.from(wanted);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Who is at the pages. An id is always made here: one that a visitor brings along is never taken on. */
export class Sessions {
  readonly #cookie: string;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();

  constructor(cookie: string, now: () => number) {
    this.#cookie = cookie;
    this.#now = now;
  }

  find(request: Request): Session | undefined {
    const cookies = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
    const mine = cookies.find((pair) => pair.startsWith(`${this.#cookie}=`));
    const session = this.#sessions.get(mine?.slice(this.#cookie.length + 1) ?? '');
    return session !== undefined && session.until > this.#now() ? session : undefined;
  }

  /** A new one, in place of `old` (RFC 9700 §4: a sign-in must not keep an id that was known before). */
  start(old: Session | undefined, email?: string): Session {
    if (old !== undefined) this.#sessions.delete(old.id);
    const session: Session = {
      id: randomText(),
      csrf: randomText(),
      until: this.#now() + LIFETIME,
      ...(email === undefined ? {} : { email }),
    };
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Not `Secure`: on plain http at loopback a browser would not send it back. */
  cookieOf(session: Session): string {
    return `${this.#cookie}=${session.id}; Path=/; HttpOnly; SameSite=Lax`;
  }
}
