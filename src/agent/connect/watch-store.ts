import type { LockingStore } from '../credentials/process-lock.ts';
import type { Credentials, Registration } from '../model.ts';

/** The same store; `onAdded` gets each registration that a change made through it adds. */
export function watchStore(
  store: LockingStore,
  onAdded: (registration: Registration) => void,
): LockingStore {
  return {
    location: store.location,
    read: () => store.read(),
    probeWritable: () => store.probeWritable(),
    lock: (name, waiting) => store.lock(name, waiting),
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
