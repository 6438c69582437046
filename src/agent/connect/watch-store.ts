import type { CredentialStore } from '../credentials/store.ts';
import type { Credentials, Registration } from '../model.ts';

/** The same store; `onAdded` gets each registration that a change made through it adds. */
export function watchStore(
  store: CredentialStore,
  onAdded: (registration: Registration) => void,
): CredentialStore {
  return {
    location: store.location,
    read: () => store.read(),
    probeWritable: () => store.probeWritable(),
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
