import type { Account } from './accounts.ts';
import type { Mailbox } from './read-mail.ts';

/** What users sign in with, beside their email. */
export interface SignInMeans {
  /** The account of a user, where the run has any. */
  account(email: string): Account | undefined;
  /** Where the mails of users can be read. */
  readonly mailbox?: Mailbox | undefined;
  /** Keeps a secret that was typed out of the report. */
  conceal?(secret: string): void;
}

/** Users of whom nothing but the email is known. */
export const EMAIL_ALONE: SignInMeans = { account: () => undefined };
