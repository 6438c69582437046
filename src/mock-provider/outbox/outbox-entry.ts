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
  /** Of the answer; `undefined` when none came. */
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
 * Only a provider whose issuer is the event's can send it, since its subject is of that issuer: one
 * with another URL cannot.
 */
export function waitsElsewhere({ issuer, state }: OutboxEntry, own: string): boolean {
  return issuer !== own && (state === 'pending' || state === 'parked');
}
