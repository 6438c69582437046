import type { Credentials } from '../model.ts';
import type { CredentialStore } from './store.ts';

export const NO_CREDENTIALS: Credentials = {
  lastService: null,
  services: [],
  providers: [],
  signIns: [],
};

/** Credentials that live as long as the object: for tests, the demo and one-shot programs. */
export function createMemoryStore(initial: Credentials = NO_CREDENTIALS): CredentialStore {
  let credentials = initial;
  return {
    location: 'memory',
    read: async () => credentials,
    update: async (change) => {
      const [next, result] = change(credentials);
      credentials = next;
      return result;
    },
    probeWritable: async () => {},
  };
}
