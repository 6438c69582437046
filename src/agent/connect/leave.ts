import { AgentError } from '../agent-error.ts';
import { rememberService, useRegistration } from '../credentials/change-credentials.ts';
import type { LockingStore } from '../credentials/process-lock.ts';
import type { Credentials, Registration, Service } from '../model.ts';
import type { ForgetOutcome } from '../outcomes.ts';
import { recordOf } from '../records/select-service.ts';
import { forget } from '../revoke/revoke.ts';
import { changeStore, type Tools } from '../tools.ts';
import type { ConnectStep } from './connect-request.ts';

interface Leaving {
  /** What this run registered. */
  readonly made: readonly Registration[];
  /** The store as it was before. */
  readonly before: Credentials;
  /** The service that was connected to; `undefined`: it did not come to that. */
  readonly service: Pick<Service, 'issuer' | 'resource'> | undefined;
  readonly tell: (step: ConnectStep) => void;
}

/**
 * Revokes and forgets what was registered, and puts back what was in use before. It is not aborted: an
 * interrupted run is to leave nothing behind. Each is reported, also one that cannot be removed from the
 * store.
 */
export async function leave(given: Tools, leaving: Leaving): Promise<readonly ForgetOutcome[]> {
  const tools = { ...given, signal: undefined };
  const { made, before, service, tell } = leaving;
  const left: ForgetOutcome[] = [];
  for (const registration of made) {
    try {
      const { id, resource } = registration;
      const forgotten = await forget(tools, { service: resource, registrationId: id });
      left.push(forgotten);
      tell({ step: 'leave', status: 'left', forgotten });
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      // Somebody else removed it meanwhile.
      if (error.code === 'not_registered') continue;
      tell({ step: 'leave', status: 'failed', registration, error });
    }
  }
  if (made.length === 0 && service !== undefined) await tellKept(tools, service, tell);
  await putBack(tools, before, service);
  return left;
}

async function putBack(
  tools: Tools,
  before: Credentials,
  service: Leaving['service'],
): Promise<void> {
  const current = service && recordOf(before, service)?.current;
  const { lastService } = before;
  await changeStore(tools, (now) => {
    let after = now;
    if (service && current) after = useRegistration(now, { ...service, id: current }) ?? now;
    const isThere = now.services.some(({ resource }) => resource === lastService);
    if (lastService !== null && isThere) after = rememberService(after, lastService);
    return after;
  });
}

async function tellKept(
  tools: Tools,
  service: NonNullable<Leaving['service']>,
  tell: Leaving['tell'],
): Promise<void> {
  const record = recordOf(await tools.store.read(), service);
  const registration = record?.registrations.find(({ id }) => id === record.current);
  if (registration !== undefined) tell({ step: 'leave', status: 'kept', registration });
}

/** The same store; `onAdded` gets each registration that a change made through it adds. */
export function watchStore(
  store: LockingStore,
  onAdded: (registration: Registration) => void,
): LockingStore {
  return {
    ...store,
    update: async (change) => {
      let added: readonly Registration[] = [];
      const result = await store.update((before) => {
        const changed = change(before);
        added = newIn(changed[0], before);
        return changed;
      });
      for (const registration of added) onAdded(registration);
      return result;
    },
  };
}

function newIn(after: Credentials, before: Credentials): readonly Registration[] {
  const known = new Set(registrationsOf(before).map(keyOf));
  return registrationsOf(after).filter((one) => !known.has(keyOf(one)));
}

function registrationsOf({ services }: Credentials): readonly Registration[] {
  return services.flatMap(({ registrations }) => registrations);
}

function keyOf({ issuer, resource, id }: Registration): string {
  return JSON.stringify([issuer, resource, id]);
}
