import { replacing } from '../../mock/config/replacing.ts';
import { on, withStatus } from '../../mock/http/tamper.ts';
import { omitting } from './check-lists.ts';
import type { ServiceFault } from './service-fault.ts';

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
  refusedEvent: {
    description: 'answers an event that it has acted on with 500',
    answers: on((path, { status }) => path === EVENTS && status === 202, withStatus(500)),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
