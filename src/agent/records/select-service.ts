import { covers, displayText, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { isSameService } from '../credentials/change-credentials.ts';
import type { Credentials, Registration, ServiceRecord } from '../model.ts';
import { findNotUnderstood, registeredNotUnderstood } from './not-understood.ts';
import { userOf } from './registration-state.ts';

/**
 * The record that `service` names: its resource, its issuer, or a URL below its resource (the
 * longest wins). Of several APIs behind one issuer, its name means the one used last, else the newest.
 * Without a name, the service used last. `undefined` when nothing is stored of it.
 */
export function findServiceRecord(
  credentials: Credentials,
  service: string | undefined,
): ServiceRecord | undefined {
  const { lastService } = credentials;
  const newestFirst = [...credentials.services].reverse();
  const isLast = ({ resource }: ServiceRecord) => resource === lastService;
  const services = [
    ...newestFirst.filter(isLast),
    ...newestFirst.filter((record) => !isLast(record)),
  ];
  const named = service ?? lastService;
  if (named === null) return undefined;
  const isNamed = (url: string) => withoutFinalSlash(url) === withoutFinalSlash(named);
  const exact =
    services.find(({ resource }) => isNamed(resource)) ??
    services.find(({ issuer }) => isNamed(issuer));
  if (exact !== undefined || service === undefined) return exact;
  return services
    .filter(({ resource }) => covers(resource, service))
    .sort((a, b) => b.resource.length - a.resource.length)[0];
}

/** What is stored of a service that was discovered. */
export function recordOf(
  { services }: Credentials,
  service: Pick<ServiceRecord, 'issuer' | 'resource'>,
): ServiceRecord | undefined {
  return services.find((one) => isSameService(one, service));
}

/** @throws AgentError `not_registered` or `service_unknown`. */
export function requireServiceRecord(
  credentials: Credentials,
  service: string | undefined,
): ServiceRecord {
  const record = findServiceRecord(credentials, service);
  if (record !== undefined) return record;
  const kept = findNotUnderstood(credentials, service).find(({ of }) => of === 'registration');
  if (kept !== undefined) throw registeredNotUnderstood(kept);
  if (service === undefined) {
    const isNowhere = credentials.services.length === 0;
    const why = isNowhere ? ': this agent is not registered at any service' : '';
    throw new AgentError(`No service is in use${why}.`, {
      code: isNowhere ? 'not_registered' : 'service_unknown',
      hint: 'Register at a service first, or name one.',
      next: { command: 'connect', args: ['URL'] },
    });
  }
  throw notRegistered(service);
}

/** The registration in use. @throws AgentError `not_registered`. */
export function requireRegistration(record: ServiceRecord): Registration {
  const current = record.registrations.find(({ id }) => id === record.current);
  if (current === undefined) throw notRegistered(record.resource);
  return current;
}

export function notRegistered(service: string): AgentError {
  return new AgentError(`This agent is not registered at ${displayText(service, 100)}.`, {
    code: 'not_registered',
    hint: 'Register first.',
    next: { command: 'register', args: [service] },
  });
}

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
