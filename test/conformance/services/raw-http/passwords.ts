import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** Few rounds: nobody guesses these, and there are many sign-ins. */
const derive = (password: string, salt: Buffer) => scryptSync(password, salt, 32, { N: 1024 });

/** The staff of the company that runs this service: nobody signs up. */
export const STAFF: readonly (readonly [email: string, password: string])[] = [
  ['ada@staff.example', 'correct horse 1'],
  ['bob@staff.example', 'battery staple 2'],
  ['cleo@staff.example', 'purple monkey 3'],
  ['dan@staff.example', 'dishwasher 4 & more'],
  ['eve@staff.example', '"quoted" <5>'],
  ['finn@staff.example', 'päss wörd 6'],
];

const TRIES = 20;
const TRIES_MS = 60_000;
/** What a password is compared with where there is none: it takes as long. */
const NOBODY = { salt: Buffer.alloc(16), hash: Buffer.alloc(32) };

export class Passwords {
  readonly #kept: ReadonlyMap<string, typeof NOBODY>;
  readonly #failures = new Map<string, readonly number[]>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.#kept = new Map(
      STAFF.map(([email, password]) => {
        const salt = randomBytes(16);
        return [email, { salt, hash: derive(password, salt) }];
      }),
    );
  }

  check(email: string, password: string): 'right' | 'wrong' | { readonly waitSeconds: number } {
    const recent = (this.#failures.get(email) ?? []).filter((at) => at > this.#now() - TRIES_MS);
    const [oldest = 0] = recent;
    if (recent.length >= TRIES) {
      return { waitSeconds: Math.ceil((oldest + TRIES_MS - this.#now()) / 1000) };
    }
    const { salt, hash } = this.#kept.get(email) ?? NOBODY;
    if (timingSafeEqual(derive(password, salt), hash)) {
      this.#failures.delete(email);
      return 'right';
    }
    this.#failures.set(email, [...recent, this.#now()]);
    return 'wrong';
  }
}
