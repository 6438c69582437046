import type { CredentialStore, Credentials } from '../../agent/index.ts';
import type { Secret } from '../../runtime/index.ts';
import type { SecretMask } from './secret-mask.ts';

/**
 * The same store; each secret that passes through it is known to the mask from then on.
 * @param sentences gets every id of a registration that a service made of several words.
 */
export function watchStore(
  store: CredentialStore,
  mask: SecretMask,
  sentences: Set<string>,
): CredentialStore {
  const note = (credentials: Credentials) => {
    noteSecrets(credentials, mask);
    for (const { registrations } of credentials.services) {
      for (const { id } of registrations) if (/\s/.test(id)) sentences.add(id);
    }
  };
  return {
    location: store.location,
    probeWritable: () => store.probeWritable(),
    ...(store.lock && { lock: store.lock.bind(store) }),
    read: async () => {
      const credentials = await store.read();
      note(credentials);
      return credentials;
    },
    update: (change) =>
      store.update((current) => {
        note(current);
        const changed = change(current);
        note(changed[0]);
        return changed;
      }),
  };
}

/** All but the codes that a user types: those are shown. */
function noteSecrets(credentials: Credentials, mask: SecretMask): void {
  const { services, providers, signIns, pageSignIns = [], clients = [] } = credentials;
  const registrations = services.flatMap((service) => service.registrations);
  const secrets: (Secret | null | undefined)[] = [
    ...registrations.flatMap(({ token, assertion, refresh, claim }) => [
      token?.value,
      assertion?.value,
      refresh?.value,
      claim?.token,
    ]),
    ...providers.flatMap(({ idToken, refresh }) => [idToken, refresh]),
    ...pageSignIns.map(({ verifier }) => verifier),
    ...clients.flatMap(({ secret, key }) => [secret, key]),
    ...signIns.map(({ deviceCode }) => deviceCode),
  ];
  for (const secret of secrets) if (secret) mask.add(secret.reveal());
}
