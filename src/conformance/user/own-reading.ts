import { CannotTest, NotApplicable } from '../engine/judge.ts';
import type { Page } from '../pages/visitor.ts';
import type { User } from './user.ts';

/** Pages that the reader of forms makes nothing of. */
export class NotUnderstood extends CannotTest {}

const OTHER_WAYS = 'use --user manual, browser or command';

/**
 * What the suite does on the pages itself, whoever the user is: attacks, two at once, forged forms. A
 * sign-in that it cannot read is a defect of nothing where somebody else does the user's part.
 * @throws NotApplicable in that case.
 */
export async function readPages<T>(user: User, walk: () => Promise<T>): Promise<T> {
  try {
    return await walk();
  } catch (error) {
    throw error instanceof NotUnderstood ? excuse(user, error) : error;
  }
}

/** Of a page that does not show what it has to; an error page is no question of understanding. */
export function notUnderstood(user: User, { answer }: Page, problem: string): Error {
  const seen = `${problem} (${answer.describe()})`;
  if (!answer.ok) return new CannotTest(`${seen}.`);
  return excuse(user, new NotUnderstood(`${seen}: ${OTHER_WAYS}.`));
}

function excuse({ kind }: User, error: NotUnderstood): Error {
  if (kind === 'form') return error;
  return new NotApplicable(
    'The suite itself signs in here, and cannot read this sign-in: let a test instance sign people in by an address alone, and use --user form.',
  );
}
