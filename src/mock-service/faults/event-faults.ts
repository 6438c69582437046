import { replacing } from '../../mock/config/replacing.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { on, withStatus } from '../../mock/http/tamper.ts';
import type { EventSteps } from '../store/event-store.ts';
import { omitting } from './check-lists.ts';
import type { Rewired, ServiceFault } from './service-fault.ts';

/** The steps of a revocation, some of them done another way. */
export function revoking(change: (right: EventSteps) => Partial<EventSteps>): Rewired {
  return ({ events }) => {
    const { steps } = events;
    return { events: replacing(events, { steps: { ...steps, ...change(steps) } }) };
  };
}

export const EVENTS = '/agent/event/notify';

/** Faults: what it does wrong with revocation events. */
export const EVENT_FAULTS = {
  uncheckedEventAudience: {
    description: 'accepts an event for another service (RFC 8935 §2)',
    decisions: omitting('eventChecks', 'audience'),
  },
  ignoredEvent: {
    description: 'answers a revocation event without acting on it (RFC 8935 §2.2)',
    parts: ({ events }) => ({ events: replacing(events, { receive: async () => 'done' }) }),
  },
  staleTokensAfterEvent: {
    description: 'keeps access tokens active after a revocation event (wire contract §7)',
    parts: revoking(() => ({
      // The registration is no longer the subject's, yet it stays: its tokens would die with it.
      endRegistration: async (tx, { facts: { id } }) => {
        await tx.run('DELETE FROM assertions WHERE registration_id = ?', [id]);
        await tx.run("UPDATE registrations SET subject = '' WHERE id = ?", [id]);
      },
    })),
  },
  refusedRepeatedEvent: {
    description: 'refuses an event that it has seen before (RFC 8935 §2)',
    parts: ({ events }) => ({
      events: replacing(events, {
        receive: async (event) => {
          if ((await events.receive(event)) === 'done') return 'done';
          throw wireProblem('events', 'invalid_request');
        },
      }),
    }),
  },
  refusedEvent: {
    description: 'answers an event that it has acted on with 500',
    answers: on((path, { status }) => path === EVENTS && status === 202, withStatus(500)),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
