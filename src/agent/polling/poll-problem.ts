import type { Problem } from '../agent-error.ts';
import { isLoss } from '../http/send-patiently.ts';
import { problemError } from '../problems/problem-error.ts';
import type { PollTrouble, UnfinishedPoll } from './next-poll.ts';

/** A poll without an answer; what is no such loss is thrown on. */
export function troubleOfLoss(error: unknown): PollTrouble {
  if (!isLoss(error)) throw error;
  return { kind: 'trouble', status: null, retryAfter: undefined };
}

/**
 * What a poll's problem means, by the codes of RFC 8628 §3.5 and by what says to come back.
 * @throws AgentError for any other: it ends the polling in no foreseen way (DEV-05).
 */
export function readPollProblem(problem: Problem): UnfinishedPoll {
  switch (problem.code) {
    case 'authorization_pending':
      return { kind: 'pending' };
    case 'slow_down':
      return { kind: 'slow_down' };
    case 'expired_token':
      return { kind: 'expired' };
    case 'access_denied':
      return { kind: 'denied' };
    default:
      if (problem.move !== 'retry_later') throw problemError(problem);
      return {
        kind: 'trouble',
        status: problem.status,
        retryAfter: problem.retryAfter,
        ...(problem.status === 429 && { refusal: problem }),
      };
  }
}
