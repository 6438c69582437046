import { sha256, token } from './agents.ts';
import { type Config, LIFE } from './config.ts';

export interface Session {
  readonly email: string | undefined;
  readonly csrf: string;
  readonly ends: number;
}

/** Accounts by email, and who is signed in. */
export class Users {
  readonly #config: Config;
  /** Email → whether its user has been here. */
  readonly #accounts = new Map<string, boolean>();
  readonly #sessions = new Map<string, Session>();

  constructor(config: Config) {
    this.#config = config;
  }

  hasAccount(email: string): boolean {
    return this.#accounts.has(email);
  }

  /** Makes an account that nobody has signed in to. */
  provision(email: string): void {
    if (!this.#accounts.has(email)) this.#accounts.set(email, false);
  }

  isProvisioned(email: string): boolean {
    return this.#accounts.get(email) === false;
  }

  forget(email: string): void {
    if (this.isProvisioned(email)) this.#accounts.delete(email);
  }

  /** Signs in; the session from before the sign-in is over. */
  signIn(email: string, before: string | undefined): string {
    this.#accounts.set(email, true);
    this.signOut(before);
    return this.begin(email);
  }

  begin(email?: string): string {
    const id = token();
    const ends = this.#config.now() / 1000 + LIFE.session;
    this.#sessions.set(sha256(id), { email, csrf: token(), ends });
    return id;
  }

  session(id: string | undefined): Session | undefined {
    const session = id === undefined ? undefined : this.#sessions.get(sha256(id));
    return session !== undefined && session.ends > this.#config.now() / 1000 ? session : undefined;
  }

  signOut(id: string | undefined): void {
    if (id !== undefined) this.#sessions.delete(sha256(id));
  }
}

/** An email address in one spelling; `undefined` for what is none. */
export function emailOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 254) return undefined;
  const pattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;
  return /^[\x21-\x7e]+$/.test(value) && pattern.test(value) ? value.toLowerCase() : undefined;
}
