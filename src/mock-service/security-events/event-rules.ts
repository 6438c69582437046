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
  readonly readEventClaims: (arrived: ArrivedEvent) => EventClaimsResult;
  readonly eventRevokes: (event: ReadEvent) => boolean;
  readonly eventSubject: (event: ReadEvent) => EventSubject;
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
