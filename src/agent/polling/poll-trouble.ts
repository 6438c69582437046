import type { Problem } from '../agent-error.ts';
import { isLoss } from '../http/send-patiently.ts';
import type { PollOutcome } from './next-poll.ts';

type Trouble = Extract<PollOutcome<never>, { readonly kind: 'trouble' }>;

/** A poll without an answer; what is no such loss is thrown on. */
export function troubleOfLoss(error: unknown): Trouble {
  if (!isLoss(error)) throw error;
  return { kind: 'trouble', status: null, retryAfter: undefined };
}

/** A problem that says to come back; `undefined` for any other. */
export function troubleOfProblem(problem: Problem): Trouble | undefined {
  if (problem.move !== 'retry_later') return undefined;
  return { kind: 'trouble', status: problem.status, retryAfter: problem.retryAfter };
}
