import { DAY, HOUR, SECOND } from '../../protocol/durations.ts';
import type { Random } from '../../runtime/ports.ts';

/**
 * The state of an event. `pending`: it will be sent, or sent again. `delivered`: the service has it.
 * `parked`: the service refused it, or was unavailable for too long; it is sent again on request alone. `none`: the
 * service takes no such events, so it cannot be notified.
 */
export type EventState = 'pending' | 'delivered' | 'parked' | 'none';

/** Why the last attempt did not deliver. */
export interface EventProblem {
  /** The receiver's own `err` (RFC 8935 §2.4), or one of this provider's: `network_refused`, `http_503`, … */
  readonly code: string;
  /** The status of the answer; `undefined` when none came. */
  readonly status?: number;
  /** The receiver's words, cleaned. Untrusted. */
  readonly text?: string;
}

/**
 * An event in the outbox: that a consent is revoked, for one audience and one subject. Instants in
 * milliseconds. The signed token is no part of it: it is signed again for each attempt.
 */
export interface OutboxEntry {
  /** The event's `jti`, fixed for good: however often it is sent, it has one effect. */
  readonly id: string;
  /** The issuer of the subject, and of the event. */
  readonly issuer: string;
  /** The service that it goes to. */
  readonly audience: string;
  /** The `sub` of the user at the provider. */
  readonly subject: string;
  /** Whose consent it was. */
  readonly email: string;
  /** The event's `toe`. */
  readonly revokedAt: number;
  readonly state: EventState;
  /** Since it was queued, or sent again by hand. */
  readonly attempts: number;
  readonly lastAttemptAt?: number | undefined;
  /** Set while pending. While it is being sent: when another process may take over. */
  readonly nextAttemptAt?: number | undefined;
  /** Failing beyond this instant parks it. */
  readonly giveUpAt: number;
  /** A process is sending it, or was when it was killed. */
  readonly isBeingSent: boolean;
  /** What the last attempt met. */
  readonly problem?: EventProblem | undefined;
}

/**
 * Whether an event waits for another provider: only one whose issuer is the event's can send it, since its subject is
 * of that issuer.
 */
export function waitsElsewhere({ issuer, state }: OutboxEntry, own: string): boolean {
  return issuer !== own && (state === 'pending' || state === 'parked');
}

/** What one attempt came to. */
export type Attempt =
  | { readonly kind: 'delivered' }
  /** The service takes no such events. */
  | { readonly kind: 'not_wanted'; readonly problem: EventProblem }
  /** Sent again, it would be refused again (RFC 8935 §2). */
  | { readonly kind: 'refused'; readonly problem: EventProblem }
  /** The attempt failed, and may work later. `retryAfter` in milliseconds, as the service asks. */
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
