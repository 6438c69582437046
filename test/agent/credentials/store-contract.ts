import { describe, expect, it } from 'vitest';
import {
  addRegistration,
  keepAnswer,
  putSession,
} from '../../../src/agent/credentials/change-credentials.ts';
import type { CredentialStore, Credentials } from '../../../src/agent/index.ts';
import { Secret } from '../../../src/runtime/index.ts';
import { add, registration, service } from './some-credentials.ts';

/** Credentials with every secret as text, for comparing. */
export function revealed(credentials: Credentials): unknown {
  return JSON.parse(
    JSON.stringify(credentials, function (this: Record<string, unknown>, key, value: unknown) {
      const raw = this[key];
      return raw instanceof Secret ? raw.reveal() : value;
    }),
  );
}

/** What every credential store does. */
export function describeCredentialStore(name: string, open: () => CredentialStore): void {
  describe(`${name}, as a credential store`, () => {
    it('is empty at first', async () => {
      expect(await open().read()).toEqual({
        lastService: null,
        services: [],
        providers: [],
        signIns: [],
      });
    });

    it('gives back all that was put in', async () => {
      const store = open();
      const session = {
        issuer: 'https://provider.example',
        idToken: new Secret('id-token'),
        expiresAt: 4,
        clockOffset: 5,
        account: 'alice@example.com',
      };
      const full = keepAnswer(
        putSession(addRegistration(await store.read(), service, registration('reg_1')), session),
        {
          id: 'kept_12345678',
          issuer: service.issuer,
          resource: service.resource,
          name: null,
          of: 'registration',
          type: 'service_auth',
          email: 'alice@example.com',
          provider: 'https://provider.example',
          subject: 'user-1',
          registrationId: null,
          keptAt: 6,
          status: 201,
          body: new Secret('{"odd":"secret"}'),
          truncated: false,
          members: ['odd: string'],
        },
      );
      await store.update(() => [full, undefined]);
      expect(revealed(await store.read())).toEqual(revealed(full));
    });

    it('gives back what is not known as not known', async () => {
      const store = open();
      const bare = registration('reg_1', { assertion: null, token: null, claim: null });
      await store.update((current) => [addRegistration(current, service, bare), undefined]);
      const [record] = (await store.read()).services;
      expect(record?.registrations).toEqual([bare]);
    });

    it('does not bring back what the registration in its place does not have', async () => {
      const store = open();
      const refresh = { value: new Secret('art_1'), expiresAt: null };
      const rich = registration('reg_1', { refresh, members: { client_id: 'pagespace-agent' } });
      await store.update((current) => [addRegistration(current, service, rich), undefined]);
      const [before] = (await store.read()).services;
      expect(before?.registrations).toEqual([rich]);
      await add(store, 'reg_1');
      const [after] = (await store.read()).services;
      expect(after?.registrations).toEqual([registration('reg_1')]);
    });

    it('returns the result of a change', async () => {
      expect(await open().update((current) => [current, 42])).toBe(42);
    });

    it('stays as it was when a change throws', async () => {
      const store = open();
      await add(store, 'reg_1');
      const refused = store.update(() => {
        throw new RangeError('no');
      });
      await expect(refused).rejects.toThrow(RangeError);
      await add(store, 'reg_2');
      expect((await store.read()).services[0]?.registrations).toHaveLength(2);
    });

    it('loses nothing when many change it at once', async () => {
      const store = open();
      const ids = Array.from({ length: 20 }, (_, n) => `reg_${n}`);
      await Promise.all(ids.map((id) => add(store, id)));
      const [record] = (await store.read()).services;
      expect(record?.registrations.map(({ id }) => id).sort()).toEqual(ids.sort());
    });

    it('can be probed, and is not changed by that', async () => {
      const store = open();
      await store.probeWritable();
      expect((await store.read()).services).toEqual([]);
    });
  });
}
