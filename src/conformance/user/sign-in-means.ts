import type { Recorder } from '../http/recorder.ts';
import type { Account } from './accounts.ts';
import type { Mailbox } from './read-mail.ts';
import type { ClaimTask, User } from './user.ts';
import type { Users } from './users-of.ts';

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

/** What the users of a run sign in with; the recorder shows none of it. */
export function meansOf(run: Users, { redactor }: Pick<Recorder, 'redactor'>): SignInMeans {
  for (const password of run.accounts.passwords) redactor.conceal(password);
  return {
    account: (email) => run.accounts.of(email),
    mailbox: run.mailbox,
    conceal: (secret) => redactor.conceal(secret),
  };
}

/** A driver whose tasks name what is known of their user. */
export function knowingUser(user: User, { account }: Pick<SignInMeans, 'account'>): User {
  return {
    kind: user.kind,
    claim: (task) => user.claim(withAccount(task, account)),
    ...(user.close && { close: () => user.close?.() ?? Promise.resolve() }),
  };
}

function withAccount(task: ClaimTask, account: SignInMeans['account']): ClaimTask {
  const { notes, password } = account(task.email) ?? {};
  return {
    ...task,
    ...(password !== undefined && { password }),
    ...(notes !== undefined && { notes }),
  };
}
