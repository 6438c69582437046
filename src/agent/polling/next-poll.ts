import { MINUTE, SECOND } from '../../protocol/index.ts';
import type { Problem } from '../agent-error.ts';

/** What one poll came to. */
export type PollOutcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'pending' }
  | { readonly kind: 'slow_down' }
  | PollTrouble
  | { readonly kind: 'expired' }
  | { readonly kind: 'denied' }
  /** Revoked, or delivered elsewhere. */
  | { readonly kind: 'gone' };

/** No answer (`status` null), or one that says to come back: 5xx, 429. */
export interface PollTrouble {
  readonly kind: 'trouble';
  readonly status: number | null;
  readonly retryAfter: number | undefined;
  /** The words of a 429. */
  readonly refusal?: Problem;
}

/** What ends the polling. */
export type FinalPoll<T> = Exclude<
  PollOutcome<T>,
  { readonly kind: 'pending' | 'slow_down' | 'trouble' }
>;

export interface PollState {
  /** Milliseconds between two polls. Never shrinks. */
  readonly interval: number;
  /** Troubles in a row. */
  readonly troubles: number;
}

/** Anything but success. */
export type UnfinishedPoll = Exclude<PollOutcome<never>, { readonly kind: 'done' }>;

interface PollWait {
  /** `stop_after`: the deadline comes before the next poll would. */
  readonly do: 'poll_after' | 'stop_after';
  readonly wait: number;
  readonly state: PollState;
}

type PollStep =
  | PollWait
  | { readonly do: 'stop'; readonly reason: Exclude<FinalPoll<never>['kind'], 'done'> };

/** What a `slow_down` adds for good. */
export const SLOWER = 5 * SECOND;
/** A lost connection is not waited out for longer than this, or than the interval. */
const LONGEST_BACK_OFF = MINUTE;

/** The first poll: one interval after the code was shown (RFC 8628 §3.5), or what an earlier wait left of it. */
export function firstPoll(interval: number, remaining: number, wait = interval): PollWait {
  return after(wait, { interval, troubles: 0 }, remaining);
}

/**
 * What follows a poll (RFC 8628 §3.5): `slow_down` adds five seconds for good, a lost connection
 * doubles the wait and an answer ends that, a final answer stops. Nothing is polled at or after the
 * deadline, which is `remaining` milliseconds away.
 */
export function nextPoll(state: PollState, outcome: UnfinishedPoll, remaining: number): PollStep {
  switch (outcome.kind) {
    case 'pending':
      return after(state.interval, { ...state, troubles: 0 }, remaining);
    case 'slow_down': {
      const interval = state.interval + SLOWER;
      return after(interval, { interval, troubles: 0 }, remaining);
    }
    case 'trouble': {
      const troubles = state.troubles + 1;
      const longest = Math.max(LONGEST_BACK_OFF, state.interval);
      const backOff = Math.min(state.interval * 2 ** Math.min(troubles, 16), longest);
      const wait =
        outcome.retryAfter === undefined ? backOff : Math.max(outcome.retryAfter, state.interval);
      return after(wait, { ...state, troubles }, remaining);
    }
    default:
      return { do: 'stop', reason: outcome.kind };
  }
}

function after(wait: number, state: PollState, remaining: number): PollWait {
  return wait < remaining
    ? { do: 'poll_after', wait, state }
    : { do: 'stop_after', wait: Math.max(0, remaining), state };
}

/** What an earlier wait left of the time to the next poll; never more than the interval. Milliseconds. */
export function leftOf(
  attempt: { readonly interval: number; readonly nextPollAt?: number },
  now: number,
): number | undefined {
  const { interval, nextPollAt } = attempt;
  if (nextPollAt === undefined) return undefined;
  return Math.min(interval, Math.max(0, nextPollAt - now));
}
