import { displayText } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Credentials, Registration, ServiceRecord } from '../model.ts';
import { userOf } from './registration-state.ts';
import { requireServiceRecord } from './select-service.ts';

export interface FoundRegistration {
  readonly record: ServiceRecord;
  readonly registration: Registration;
}

/**
 * The registration of that id, or the only one whose id begins so; of `service` alone where it is named.
 * @param command whose id it is: the step of an error leads back to it.
 * @throws AgentError `registration_unknown` or `registration_ambiguous`, with what there is;
 *   `not_registered` when there is none at all.
 */
export function findRegistration(
  credentials: Credentials,
  id: string,
  service: string | undefined,
  command: 'use' | 'forget',
): FoundRegistration {
  const records =
    service === undefined ? credentials.services : [requireServiceRecord(credentials, service)];
  const all = records.flatMap((record) =>
    record.registrations.map((registration) => ({ record, registration })),
  );
  if (all.length === 0) {
    throw new AgentError('No registration is stored on this machine.', {
      code: 'not_registered',
      hint: 'Register first.',
      next: { command: 'register', args: [] },
    });
  }
  const exact = all.find(({ registration }) => registration.id === id);
  if (exact !== undefined) return exact;
  const [only, another] =
    id === '' ? [] : all.filter(({ registration }) => registration.id.startsWith(id));
  if (only !== undefined && another === undefined) return only;
  const named = displayText(id, 80);
  throw new AgentError(
    only === undefined
      ? `There is no registration ${named} here.`
      : `Several registrations begin with ${named}.`,
    {
      code: only === undefined ? 'registration_unknown' : 'registration_ambiguous',
      hint: `Registrations here: ${all.map(({ registration }) => describe(registration)).join(', ')}.`,
      next: { command, args: ['REGISTRATION'] },
    },
  );
}

/** @throws AgentError `registration_over`. */
export function requireNotEnded({ id, ended }: Registration): void {
  if (ended === null) return;
  const what = ended === 'revoked' ? 'was revoked' : 'has expired';
  throw new AgentError(`The registration ${id} ${what}: it cannot be used any more.`, {
    code: 'registration_over',
    hint: 'Remove it from this machine.',
    next: { command: 'forget', args: [id] },
  });
}

function describe(registration: Registration): string {
  const { id, type } = registration;
  const user = userOf(registration);
  return `${displayText(id, 80)} (${type}${user === null ? '' : `, ${displayText(user, 254)}`})`;
}
