import { randomBytes, randomUUID, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const hashed = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
/** Few rounds: nobody guesses these, and there are many sign-ins. */
const derive = (password: string, salt: Buffer) => hashed(password, salt, 32, { N: 1024 });

export interface Account {
  readonly id: string;
  readonly email: string;
  /** None for an account that a provider's assertion made: its user has yet to choose one. */
  readonly password?: { readonly salt: Buffer; readonly hash: Buffer };
}

/** The staff of the company that runs this service: nobody signs up. */
const STAFF: readonly (readonly [email: string, password: string])[] = [
  ['ada@staff.example', 'correct horse 1'],
  ['bob@staff.example', 'battery staple 2'],
  ['cleo@staff.example', 'purple monkey 3'],
  ['dan@staff.example', 'dishwasher 4 & more'],
  ['eve@staff.example', '"quoted" <5>'],
  ['finn@staff.example', 'päss wörd 6'],
];

const TRIES = 20;
const TRIES_MS = 60_000;

export class Accounts {
  readonly #byEmail = new Map<string, Account>();
  readonly #failures = new Map<string, number[]>();
  readonly #now: () => number;

  private constructor(now: () => number) {
    this.#now = now;
  }

  static async ofStaff(now: () => number): Promise<Accounts> {
    const accounts = new Accounts(now);
    for (const [email, password] of STAFF) {
      const salt = randomBytes(16);
      const hash = await derive(password, salt);
      accounts.#byEmail.set(email, { id: randomUUID(), email, password: { salt, hash } });
    }
    return accounts;
  }

  find(email: string): Account | undefined {
    return this.#byEmail.get(email.toLowerCase());
  }

  provision(email: string): Account {
    const account = { id: randomUUID(), email: email.toLowerCase() };
    this.#byEmail.set(account.email, account);
    return account;
  }

  /** Takes as long for an address without an account. */
  async check(
    email: string,
    password: string,
  ): Promise<Account | 'wrong' | { readonly waitSeconds: number }> {
    const key = email.toLowerCase();
    const recent = (this.#failures.get(key) ?? []).filter((at) => at > this.#now() - TRIES_MS);
    const oldest = recent[0];
    if (recent.length >= TRIES && oldest !== undefined)
      return { waitSeconds: Math.ceil((oldest + TRIES_MS - this.#now()) / 1000) };
    // Counted before the work is done: parallel guesses see one another.
    this.#failures.set(key, [...recent, this.#now()]);
    const account = this.find(key);
    const kept = account?.password ?? { salt: Buffer.alloc(16), hash: Buffer.alloc(32) };
    const right = timingSafeEqual(await derive(password, kept.salt), kept.hash);
    if (!right || account?.password === undefined) return 'wrong';
    this.#failures.delete(key);
    return account;
  }
}
