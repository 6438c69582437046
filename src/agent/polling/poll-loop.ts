import { AgentError, type Problem } from '../agent-error.ts';
import { isLoss, pause, type Sender } from '../http/send-patiently.ts';
import type { UnansweredPolls, WaitEvent } from '../outcomes.ts';
import { problemError } from '../problems/problem.ts';
import {
  type FinalPoll,
  firstPoll,
  nextPoll,
  type PollOutcome,
  type PollTrouble,
  type UnfinishedPoll,
} from './next-poll.ts';

interface PollLoop<T> {
  /** Milliseconds. */
  readonly interval: number;
  /** Milliseconds to the first poll, where an earlier wait left off. Default: the interval. */
  readonly firstWait?: number | undefined;
  /** Milliseconds to the deadline as the server's clock shows it now. */
  readonly remaining: () => number;
  readonly poll: () => Promise<PollOutcome<T>>;
  /** Called with the longer interval, to be kept. */
  readonly onSlowDown?: (interval: number) => Promise<void>;
  /** Milliseconds; then the end is `timeout`. */
  readonly timeout?: number | undefined;
  readonly onEvent?: ((event: WaitEvent) => void) | undefined;
}

export type PollEnd<T> =
  | FinalPoll<T>
  | { readonly kind: 'deadline' }
  | { readonly kind: 'aborted' }
  | {
      readonly kind: 'timeout';
      /** Milliseconds that were left to the next poll. */
      readonly nextPollIn: number;
      /** Set where the last poll was not answered. */
      readonly unanswered?: UnansweredPolls;
    };

/** Polls until something final happens. The first poll comes one interval after the call. */
export async function runPollLoop<T>(tools: Sender, loop: PollLoop<T>): Promise<PollEnd<T>> {
  const { clock } = tools.context;
  const { onEvent = () => {} } = loop;
  const started = clock.now();
  const budget = loop.remaining();
  // The server's clock may shorten the wait; one that stands still or runs back does not prolong it.
  const remaining = () => Math.min(loop.remaining(), budget - (clock.now() - started));
  const patience = () => (loop.timeout ?? Number.POSITIVE_INFINITY) - (clock.now() - started);

  let unanswered: UnansweredPolls | undefined;
  let step = firstPoll(loop.interval, remaining(), loop.firstWait);
  try {
    for (;;) {
      const wait = Math.min(step.wait, Math.max(0, patience()));
      onEvent({ type: 'waiting', nextPollIn: wait, remaining: Math.max(0, remaining()) });
      await pause(tools, wait);
      if (wait < step.wait) {
        return {
          kind: 'timeout',
          nextPollIn: step.wait - wait,
          ...(unanswered !== undefined && { unanswered }),
        };
      }
      if (step.do === 'stop_after') return { kind: 'deadline' };

      const outcome = await loop.poll();
      if (outcome.kind === 'done') return outcome;
      const next = nextPoll(step.state, outcome, remaining());
      if (next.do === 'stop') return { kind: next.reason };
      unanswered =
        outcome.kind === 'trouble'
          ? { polls: next.state.troubles, status: outcome.status }
          : undefined;
      if (outcome.kind === 'slow_down') {
        await loop.onSlowDown?.(next.state.interval);
        onEvent({ type: 'slow_down', interval: next.state.interval });
      } else if (outcome.kind === 'trouble') {
        onEvent({ type: 'trouble', status: outcome.status, nextPollIn: next.wait });
      }
      step = next;
    }
  } catch (error) {
    if (tools.signal?.aborted || (error instanceof AgentError && error.code === 'aborted')) {
      return { kind: 'aborted' };
    }
    throw error;
  }
}

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

/** What a user is told of a wait that was given up: what it does not know. */
export function unansweredText(who: string, { polls, status }: UnansweredPolls): string {
  const which = polls === 1 ? 'the last poll' : `the last ${polls} polls`;
  const what = status === null ? `did not answer ${which}` : `answered ${which} with ${status}`;
  return `${who} ${what}, so it is not known whether the user has acted.`;
}
