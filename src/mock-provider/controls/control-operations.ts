import {
  type ControlOperation,
  pathParameter,
  SAMPLE_TIME,
  sharedControlOperations,
} from '../../mock/index.ts';
import { instant } from '../../protocol/index.ts';

const NOW = instant(SAMPLE_TIME);

const WAITING = {
  id: 'evt_1',
  issuer: 'https://provider.example',
  audience: 'https://service.example',
  subject: 'user-1',
  email: 'alice@example.com',
  revoked_at: NOW,
  state: 'pending',
  attempts: 0,
  last_attempt_at: null,
  next_attempt_at: NOW,
  problem: null,
};
/** With it, the other half of what each member can be. */
const PARKED = {
  ...WAITING,
  state: 'parked',
  attempts: 1,
  last_attempt_at: NOW,
  next_attempt_at: null,
  problem: { code: 'invalid_key', status: 400, text: 'The key is unknown.' },
};
const BROKEN = { ...PARKED, problem: { code: 'network', status: null, text: null } };

/** The controls of a provider. */
export function providerControlOperations(): readonly ControlOperation[] {
  return [
    ...sharedControlOperations('provider'),
    {
      ...{
        id: 'listEvents',
        method: 'GET',
        path: '/outbox',
        summary: 'List the events for services',
      },
      description: 'Revocation events that were sent, or are still to be.',
      answers: [{ events: [WAITING, PARKED, BROKEN] }],
    },
    {
      ...{
        id: 'sendEvent',
        method: 'POST',
        path: '/outbox/{id}/send',
        summary: 'Send an event again',
      },
      description: 'Tries at once.',
      parameters: [pathParameter('id', 'The id of the event.', 'evt_1')],
      answers: [WAITING, PARKED, BROKEN],
      refuses: { not_found: 'There is no such event.' },
    },
  ];
}
