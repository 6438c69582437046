import { EVENT_CHECKS, type EventCheck } from './event-checks.ts';
import {
  type ArrivedEvent,
  type EventClaimsResult,
  type EventSubject,
  eventRevokes,
  eventSubject,
  eventTime,
  type ReadEvent,
  readEventClaims,
} from './read-event.ts';

/** The rules for security events (wire contract §7): how each is read, and the checks in their order. */
export interface EventRules {
  /** Reads the claims of an event that has arrived. */
  readonly readEventClaims: (arrived: ArrivedEvent) => EventClaimsResult;
  /** Whether an event ends an identity assertion. */
  readonly eventRevokes: (event: ReadEvent) => boolean;
  /** Whom an event is about. */
  readonly eventSubject: (event: ReadEvent) => EventSubject;
  /** When it happened, in milliseconds. */
  readonly eventTime: (event: ReadEvent) => number;
  readonly eventChecks: readonly EventCheck[];
}

export const EVENT_RULES: EventRules = {
  readEventClaims,
  eventRevokes,
  eventSubject,
  eventTime,
  eventChecks: EVENT_CHECKS,
};
