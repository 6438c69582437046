import type { Redecided } from '../../../../src/mock-service/faults/service-fault.ts';
import type {
  ArrivedEvent,
  EventCheck,
  EventRules,
} from '../../../../src/mock-service/security-events/event-checks.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';

/** Events are judged by some other rules. */
export const judgingEvents =
  (change: (right: EventRules) => Partial<EventRules>): Redecided =>
  (right) => ({ ...right, ...change(right) });

/** Their claims are seen as these. */
export const seeingClaims = (change: (arrived: ArrivedEvent) => JsonObject): Redecided =>
  judgingEvents(({ readEventClaims }) => ({
    readEventClaims: (arrived) => readEventClaims({ ...arrived, claims: change(arrived) }),
  }));

/** Without the checks of these names. */
export const withoutEventChecks = (...names: readonly string[]): Redecided =>
  judgingEvents(({ eventChecks }) => ({
    eventChecks: eventChecks.filter(({ name }) => !names.includes(name)),
  }));

/** One check is made another way. */
export const checkingEvents = (
  name: string,
  check: (right: EventCheck['check']) => EventCheck['check'],
): Redecided =>
  judgingEvents(({ eventChecks }) => ({
    eventChecks: eventChecks.map((entry) =>
      entry.name === name ? { ...entry, check: check((facts) => entry.check(facts)) } : entry,
    ),
  }));

/** What fits this is refused as well. */
export const refusingEvents = (
  isMeant: (...facts: Parameters<EventCheck['check']>) => boolean,
): Redecided =>
  judgingEvents(({ eventChecks }) => ({
    eventChecks: [
      ...eventChecks,
      {
        name: 'more',
        description: 'Nothing asks for it.',
        check: (facts) => (isMeant(facts) ? { code: 'invalid_request' } : undefined),
      },
    ],
  }));
