import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import {
  alsoSigned,
  fetchKeys,
  verifying,
} from '../../../../src/mock-service/faults/trust-faults.ts';
import { holdsKey } from '../../../../src/mock-service/trust/key-source.ts';
import { DAY } from '../../../../src/protocol/durations.ts';
import type { Jwk, JwkSet } from '../../../../src/protocol/jwk.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

/** Key sets are seen another way than their issuers publish them. */
function seeingKeys(change: (keySet: JwkSet) => JwkSet): Rewired {
  return verifying(({ keySet }) => ({
    keySet: async (trusted, header) => {
      const published = await keySet(trusted, header);
      return published && change(published);
    },
  }));
}

/** What a key is for is not looked at, in one of its members. */
const withoutMember = (member: 'use' | 'key_ops' | 'alg'): Rewired =>
  seeingKeys(({ keys }) => ({
    keys: keys.map(({ [member]: _member, ...rest }) => rest as Jwk),
  }));

/** A set without the key is fetched again at once, as often as this. */
const refetching = (times: number): Rewired =>
  verifying(({ keySet, unavailableUrl }, service) => {
    let left = times;
    return {
      keySet: async (trusted, header) => {
        const known = await keySet(trusted, header);
        if (holdsKey(known, String(header['kid'])) || left === 0) return known;
        left -= 1;
        return fetchKeys(service, unavailableUrl(trusted));
      },
    };
  });

/** What a key of each type cannot be without (RFC 7518 §6). */
const MEMBERS_OF_TYPE: ReadonlyMap<string | undefined, readonly (keyof Jwk)[]> = new Map([
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
  ['RSA', ['n', 'e']],
  ['oct', ['k']],
]);

function isReadable(key: Jwk): boolean {
  const members = MEMBERS_OF_TYPE.get(key.kty);
  return members?.every((member) => typeof key[member] === 'string') ?? false;
}

export const NO_KEYS: JwkSet = { keys: [] };

/** A set that cannot be had is taken for one without keys. */
export const emptyWhenAway: Rewired = verifying(({ keySet }) => ({
  keySet: async (trusted, header) => (await keySet(trusted, header)) ?? NO_KEYS,
}));

/** Faults of fetching and reading the key sets of providers. */
export const KEY_SET_FAULTS = {
  sharedKid: {
    description: 'keeps the keys of all issuers by their kid alone (RFC 8725 §3.8)',
    parts: (service) => {
      const byKid = new Map<string | undefined, Jwk>();
      const first = (key: Jwk): Jwk => {
        const known = byKid.get(key.kid) ?? key;
        byKid.set(key.kid, known);
        return known;
      };
      return seeingKeys(({ keys }) => ({ keys: keys.map(first) }))(service);
    },
    fails: { 'id-jag-keys': ['same-kid'] },
  },
  trustedKeyRedirect: {
    description: 'takes keys from where a redirect of the key set leads (attack A-09)',
    parts: verifying(({ fetchDocument }) => ({
      fetchDocument: async (url) => {
        const fetched = await fetchDocument(url);
        if (fetched.ok || fetched.location === undefined) return fetched;
        return fetchDocument(new URL(fetched.location, url).href);
      },
    })),
    fails: { 'id-jag-key-redirect': ['unfollowed'] },
  },
  ignoredKeyUse: {
    description: 'verifies with a key that is for encryption (RFC 7517 §4.2)',
    parts: withoutMember('use'),
    fails: { 'id-jag-keys': ['use'] },
  },
  ignoredKeyOps: {
    description: 'verifies with a key whose key_ops do not allow it (RFC 7517 §4.3)',
    parts: withoutMember('key_ops'),
    fails: { 'id-jag-keys': ['key-ops'] },
  },
  ignoredKeyAlg: {
    description: 'verifies with a key that is for another algorithm (RFC 7517 §4.4)',
    parts: withoutMember('alg'),
    fails: { 'id-jag-keys': ['key-algorithm'] },
  },
  refusedKeySetWithUnknownKey: {
    description: 'rejects a whole key set for one key that it cannot read (RFC 7517 §5)',
    parts: seeingKeys((keySet) => (keySet.keys.every(isReadable) ? keySet : NO_KEYS)),
    fails: { 'id-jag-keys': ['unreadable-skipped'] },
  },
  staleWithdrawnKey: {
    description: 'keeps using keys that their issuer has withdrawn (RFC 7517 §8.5)',
    parts: verifying(({ keySet }) => {
      const kept = new Map<string, ReadonlyMap<string | undefined, Jwk>>();
      return {
        keySet: async (trusted, header) => {
          const published = await keySet(trusted, header);
          if (published === undefined) return undefined;
          const byKid = new Map([
            ...(kept.get(trusted.issuer) ?? []),
            ...published.keys.map((key) => [key.kid, key] as const),
          ]);
          kept.set(trusted.issuer, byKid);
          return { keys: [...byKid.values()] };
        },
      };
    }),
    fails: { 'id-jag-key-rotation': ['old-key'], 'redemption-keys': ['removed-key'] },
  },
  noKeyFetchLimit: {
    description: 'fetches the key set for each unknown kid (attack A-40)',
    parts: refetching(Number.POSITIVE_INFINITY),
    fails: {
      'id-jag-key-rotation': ['flood', 'few-fetches'],
      'redemption-keys': ['few-fetches'],
    },
  },
  longKeyFetchLimit: {
    description: 'fetches the key set up to twenty times for unknown kids (attack A-40)',
    parts: refetching(20),
    fails: { 'id-jag-key-rotation': ['few-fetches'] },
  },
  longKeyFetchPause: {
    description: 'waits a day before it fetches a key set again that it could not fetch',
    parts: verifying(({ keySet }, { clock }) => {
      const failed = new Map<string, number>();
      return {
        keySet: async (trusted, header) => {
          if (clock.now() - (failed.get(trusted.issuer) ?? -DAY) < DAY) return undefined;
          const found = await keySet(trusted, header);
          if (found === undefined) failed.set(trusted.issuer, clock.now());
          return found;
        },
      };
    }),
    fails: { 'event-keys-unreachable': ['taken-later'] },
  },
  wrongKeyOutageCode: {
    description: 'calls a signature wrong if the keys cannot be fetched (wire contract §3)',
    parts: emptyWhenAway,
    fails: { 'id-jag-key-rotation': ['try-later'], 'event-keys-unreachable': ['try-later'] },
  },
  ignoredKeyRotation: {
    description: 'never fetches a key set again (RFC 7517 §8.5)',
    parts: verifying(({ keySet }) => {
      const first = new Map<string, JwkSet>();
      return {
        keySet: async (trusted, header) => {
          const known = first.get(trusted.issuer) ?? (await keySet(trusted, header));
          if (known !== undefined) first.set(trusted.issuer, known);
          return known;
        },
      };
    }),
    fails: {
      'id-jag-key-rotation': ['new-key', 'try-later'],
      'redemption-keys': ['new-key'],
    },
  },
  acceptedWithoutKeys: {
    description: 'accepts a JWT unverified if the keys cannot be fetched (RFC 7515 §5.2)',
    parts: (service) => {
      const { verifier } = { ...service, ...emptyWhenAway(service) };
      const taken = alsoSigned(verifier, async (_jwt, keySet) => keySet === NO_KEYS);
      return { verifier: { ...verifier, ...taken } };
    },
    fails: {
      'id-jag-key-rotation': ['unreachable', 'try-later'],
      'redemption-keys': ['try-later'],
      'event-keys-unreachable': ['not-believed', 'try-later'],
    },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
