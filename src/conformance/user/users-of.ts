import type { Clock, Random, Sleep } from '../../runtime/index.ts';
import { type Account, Accounts, ANYBODY } from './accounts.ts';
import { Mailbox } from './read-mail.ts';

/** The users of a run, and the option that named them. */
export interface AccountsGiven {
  readonly all: readonly [Account, ...Account[]];
  readonly option: '--email' | '--accounts';
}

/** The users of a run. */
export interface Users {
  /** Who registers, signs in, claims and consents. */
  readonly accounts: Accounts;
  /** Where their mails can be read. */
  readonly mailbox: Mailbox | undefined;
}

interface UsersGiven {
  readonly accounts?: AccountsGiven | undefined;
  readonly emailPattern?: string | undefined;
  readonly readMail?: ((email: string) => Promise<string>) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: Sleep;
  readonly patience: number;
}

/** The users of a run and where their mails are read, as its options say. */
export function usersOf(given: UsersGiven): Users {
  const {
    accounts,
    clock,
    emailPattern: email = ANYBODY,
    patience,
    random,
    readMail,
    sleep,
  } = given;
  const { all, option } = accounts ?? { all: [{ email }] as const, option: '--email' as const };
  return {
    accounts: new Accounts(all, { random, option }),
    mailbox: readMail && new Mailbox({ read: readMail, clock, sleep, patience }),
  };
}
