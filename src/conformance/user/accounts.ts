import * as z from 'zod';
import type { Random } from '../../runtime/index.ts';
import { NeedsOption } from '../engine/judge.ts';
import { readChecked } from '../engine/read-checked.ts';
import { EMAIL } from './email.ts';

/** A user of the judged service or provider, as `--accounts` lists them. */
export interface Account {
  /** An email address; with `{n}`, which becomes a random number, as many users as are needed. */
  readonly email: string;
  /** A secret: it is typed, and never shown. */
  readonly password?: string | undefined;
  /** What somebody who signs in by hand, or a command, should know. */
  readonly notes?: string | undefined;
}

interface AccountsOptions {
  readonly random: Random;
  /** The option that named them, for what more of them would show. */
  readonly option: '--email' | '--accounts';
}

/** Users whom the suite makes up. */
export const ANYBODY = 'conformance-visitor-{n}@example.com';

/** The users of a run. */
export class Accounts {
  readonly #all: readonly Account[];
  readonly #options: AccountsOptions;
  #begun = 0;

  constructor(all: readonly [Account, ...Account[]], options: AccountsOptions) {
    this.#all = all;
    this.#options = options;
  }

  /** The users of one scenario: it begins with another one than the scenario before. */
  begin(): ScenarioAccounts {
    this.#begun += 1;
    return new ScenarioAccounts(this.#all, this.#options, this.#begun - 1);
  }

  /** The one with that email. */
  of(email: string): Account | undefined {
    return (
      this.#all.find((each) => each.email === email) ??
      this.#all.find((each) => isPattern(each) && matches(each.email, email))
    );
  }

  /** Whether there are as many users as are needed, so that scenarios never meet at one. */
  get areEnough(): boolean {
    return this.#all.some((each) => isPattern(each) && canSignIn(each, this.#all));
  }

  /** Whether a pattern says which emails may be made up. */
  get haveNewcomers(): boolean {
    return this.#all.some(isPattern);
  }

  get passwords(): readonly string[] {
    return this.#all.flatMap(({ password }) => (password === undefined ? [] : [password]));
  }
}

/** Who of the users has a part in a scenario. */
export class ScenarioAccounts {
  readonly #all: readonly Account[];
  readonly #options: AccountsOptions;
  /** The accounts that can sign in and are no pattern, the one whose turn it is first. */
  readonly #known: readonly Account[];
  readonly #taken = new Set<string>();
  #main: string | undefined;

  constructor(all: readonly Account[], options: AccountsOptions, turn: number) {
    this.#all = all;
    this.#options = options;
    const known = all.filter((each) => !isPattern(each) && canSignIn(each, all));
    const first = known.length === 0 ? 0 : turn % known.length;
    this.#known = [...known.slice(first), ...known.slice(0, first)];
  }

  /** A user who can sign in: a new one where the run has any, else always the same one. */
  user(): string {
    const pattern = this.#signingIn();
    if (pattern !== undefined) return this.#fill(pattern);
    this.#main ??= this.#next() ?? this.#known[0]?.email;
    return this.#main ?? this.unknown();
  }

  /** A user who can sign in, and who has had no part in this scenario. @throws NeedsOption when there is none. */
  another(): string {
    const pattern = this.#signingIn();
    if (pattern !== undefined) return this.#fill(pattern);
    const next = this.#next();
    if (next !== undefined) return next;
    const { option } = this.#options;
    const [count, only] = [this.#known.length, this.#known[0]?.email ?? 'nobody'];
    const has = count === 1 ? `${only} is one` : `${option} names ${count} who can sign in`;
    throw new NeedsOption(
      `This needs ${count + 1} users, and ${has}: name more${this.#orPattern}.`,
      option,
    );
  }

  /**
   * An email that nobody has an account for. Nobody signs in with it.
   * @throws NeedsOption where a single user was named, and nothing said about others.
   */
  unknown(): string {
    const { option } = this.#options;
    const patterns = this.#all.filter(isPattern);
    const pattern = patterns.find((each) => !canSignIn(each, this.#all)) ?? patterns[0];
    if (pattern !== undefined) return this.#fill(pattern);
    if (option === '--accounts') return this.#fill({ email: ANYBODY });
    throw new NeedsOption(
      `This needs a user without an account: name a pattern too${this.#orPattern}.`,
      option,
    );
  }

  /** Whether there are as many users as are needed, and nobody has met them. */
  get areNew(): boolean {
    return this.#signingIn() !== undefined;
  }

  get #orPattern(): string {
    return this.#options.option === '--email'
      ? ", or put {n} into --email, as in --email 'test-{n}@example.com'"
      : ', or an email with {n}, as in new-{n}@example.com';
  }

  #signingIn(): Account | undefined {
    return this.#all.find((each) => isPattern(each) && canSignIn(each, this.#all));
  }

  #next(): string | undefined {
    const next = this.#known.find(({ email }) => !this.#taken.has(email))?.email;
    if (next !== undefined) this.#taken.add(next);
    return next;
  }

  #fill({ email }: Account): string {
    const n = Buffer.from(this.#options.random.bytes(6)).toString('hex');
    return email.replace('{n}', n);
  }
}

function isPattern({ email }: Account): boolean {
  return email.includes('{n}');
}

/** Where some have a password, one without cannot sign in. */
function canSignIn({ password }: Account, all: readonly Account[]): boolean {
  return password !== undefined || all.every((each) => each.password === undefined);
}

function matches(pattern: string, email: string): boolean {
  const [before = '', after = ''] = pattern.split('{n}');
  return (
    email.length > before.length + after.length && email.startsWith(before) && email.endsWith(after)
  );
}

const TEXT = 'text is expected; put it between quotes';
const ENTRY = z.strictObject(
  {
    email: z.string('an email address is expected').regex(EMAIL, 'an email address is expected'),
    password: z.string(TEXT).min(1, 'it is empty').optional(),
    notes: z.string(TEXT).optional(),
  },
  {
    error: ({ code }) => (code === 'invalid_type' ? 'an entry with email is expected' : undefined),
  },
);
const ACCOUNTS = z.array(ENTRY, 'a list is expected').min(1, 'it lists nobody');

/**
 * Reads the file of `--accounts`, YAML or JSON: a list of `email`, `password` and `notes`.
 * @throws TypeError with a sentence that names the line, and quotes nothing of the file but emails.
 */
export function readAccounts(text: string): readonly [Account, ...Account[]] {
  const { lineOf, value } = readChecked(text, ACCOUNTS);
  const emails = value.map(({ email }) => email);
  const again = emails.findIndex((email, index) => emails.indexOf(email) !== index);
  if (again >= 0) throw new TypeError(`line ${lineOf([again])}: ${emails[again]} is listed twice.`);
  const [first, ...others] = value;
  if (first === undefined) throw new TypeError('it lists nobody.');
  return [first, ...others];
}
