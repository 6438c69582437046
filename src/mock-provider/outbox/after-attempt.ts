import { DAY, HOUR, SECOND } from '../../protocol/durations.ts';
import type { Random } from '../../runtime/ports.ts';
import type { EventProblem, OutboxEntry } from './outbox-entry.ts';

/** What one attempt came to. */
export type Attempt =
  | { readonly kind: 'delivered' }
  /** The service takes no such events. */
  | { readonly kind: 'not_wanted'; readonly problem: EventProblem }
  /** Sent again, it would be refused again (RFC 8935 §2). */
  | { readonly kind: 'refused'; readonly problem: EventProblem }
  /** It may work later. `retryAfter` in milliseconds, as the service asks. */
  | {
      readonly kind: 'failed';
      readonly problem: EventProblem;
      readonly retryAfter?: number | undefined;
    };

/** How long an event that keeps failing is tried, before it is parked. */
export const TRIED_FOR = 7 * DAY;

const FIRST_WAIT = 5 * SECOND;
/** The longest wait for the next attempt. */
export const LONGEST_WAIT = HOUR;

type AfterAttempt = Pick<OutboxEntry, 'state' | 'problem' | 'nextAttemptAt'>;

/**
 * What follows from an attempt. Only temporary failures are retried, with growing waits: a lost
 * connection, a 5xx, a 429 (RFC 8935 §2, PSH-06).
 * @param attempts how many there were, this one included.
 */
export function afterAttempt(
  attempt: Attempt,
  { attempts, giveUpAt }: { readonly attempts: number; readonly giveUpAt: number },
  now: number,
  random: Random,
): AfterAttempt {
  switch (attempt.kind) {
    case 'delivered':
      return { state: 'delivered', problem: undefined, nextAttemptAt: undefined };
    case 'not_wanted':
      return { state: 'none', problem: attempt.problem, nextAttemptAt: undefined };
    case 'refused':
      return { state: 'parked', problem: attempt.problem, nextAttemptAt: undefined };
    case 'failed': {
      const { problem, retryAfter = 0 } = attempt;
      if (now >= giveUpAt) return { state: 'parked', problem, nextAttemptAt: undefined };
      const wait = Math.min(Math.max(backOff(attempts, random), retryAfter), LONGEST_WAIT);
      return { state: 'pending', problem, nextAttemptAt: now + wait };
    }
  }
}

/** Doubled each time, plus up to as much again at random, so that not all retry at once. */
function backOff(attempts: number, random: Random): number {
  const base = Math.min(FIRST_WAIT * 2 ** Math.min(attempts - 1, 20), LONGEST_WAIT);
  return base + Math.floor(((random.bytes(1)[0] ?? 0) / 256) * base);
}
