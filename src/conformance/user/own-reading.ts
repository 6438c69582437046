import { CannotTest, NotApplicable } from '../engine/judge.ts';
import type { Page } from '../pages/visitor.ts';
import type { User } from './user.ts';

/** The form driver does not understand a page. */
export class NotUnderstood extends CannotTest {}

/** The claim page denies nothing: there is no act whose outcome could be judged. */
export class NoDenial extends NotApplicable {
  constructor() {
    super(
      'The page has no control to deny: no button or choice on it says deny, decline, reject or refuse.',
    );
  }
}

const OTHER_WAYS = 'use --user manual, browser or command';

/**
 * Walks the pages as the suite does itself, whatever the driver: for attacks, two sessions, forged forms.
 * A sign-in that it cannot read is no defect where another driver does the user's part.
 * @throws NotApplicable in that case.
 */
export async function readPages<T>(user: User, walk: () => Promise<T>): Promise<T> {
  try {
    return await walk();
  } catch (error) {
    throw error instanceof NotUnderstood ? excuse(user, error) : error;
  }
}

/** The error for a page without what it should have. An error page cannot be tested, whatever the driver. */
export function notUnderstood(user: User, { answer }: Page, problem: string): Error {
  const seen = `${problem} (${answer.describe()})`;
  if (!answer.ok) return new CannotTest(`${seen}.`);
  return excuse(user, new NotUnderstood(`${seen}: ${OTHER_WAYS}.`));
}

function excuse({ kind }: User, error: NotUnderstood): Error {
  if (kind === 'form') return error;
  return new NotApplicable(
    'Here the suite signs in itself, and it does not understand this sign-in: let a test instance sign users in by email alone, and use --user form.',
  );
}
