import { DAY, type Jwk, type JwkSet } from '../../protocol/index.ts';
import { holdsKey, type KeySetPauses } from '../trust/index.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';
import { alsoSigned, seeingKeys, verifying } from './verifying.ts';

/** What a key is for is not looked at, in one of its members. */
const withoutMember = (member: 'use' | 'key_ops' | 'alg'): Rewired =>
  seeingKeys(({ keys }) => ({
    keys: keys.map(({ [member]: _member, ...rest }) => rest as Jwk),
  }));

/** Key sets are fetched at another pace. */
const pausing =
  (pauses: Partial<KeySetPauses>): Rewired =>
  ({ keySetPauses }) => ({ keySetPauses: { ...keySetPauses, ...pauses } });

/** A set without the key is fetched again at once, as often as this. */
const refetching = (times: number): Rewired =>
  verifying(({ keySet }, { issuerKeys }) => {
    let left = times;
    return {
      keySet: async (trusted, header) => {
        const known = await keySet(trusted, header);
        if (holdsKey(known, String(header['kid'])) || left === 0) return known;
        left -= 1;
        issuerKeys.forget(trusted);
        return keySet(trusted, header);
      },
    };
  });

const NO_KEYS: JwkSet = { keys: [] };

/** A set that cannot be had is taken for one without keys. */
const emptyWhenAway: Rewired = verifying(({ keySet }) => ({
  keySet: async (trusted, header) => (await keySet(trusted, header)) ?? NO_KEYS,
}));

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
    breaks: ['A-07', 'JWT-05'],
    fails: { 'id-jag-keys': ['same-kid'] },
  },
  trustedKeyRedirect: {
    description: 'takes keys from where a redirect of the key set leads (attack A-09)',
    parts: ({ fetchDocument }) => ({
      fetchDocument: async (url) => {
        const fetched = await fetchDocument(url);
        if (fetched.ok || fetched.location === undefined) return fetched;
        return fetchDocument(new URL(fetched.location, url).href);
      },
    }),
    breaks: ['A-09-REDIRECTS'],
    fails: { 'id-jag-key-redirect': ['unfollowed'] },
  },
  ignoredKeyUse: {
    description: 'verifies with a key that is for encryption (RFC 7517 §4.2)',
    parts: withoutMember('use'),
    breaks: ['JWK-05'],
    fails: { 'id-jag-keys': ['use'] },
  },
  ignoredKeyOps: {
    description: 'verifies with a key whose key_ops do not allow it (RFC 7517 §4.3)',
    parts: withoutMember('key_ops'),
    breaks: ['JWK-05'],
    fails: { 'id-jag-keys': ['key-ops'] },
  },
  ignoredKeyAlg: {
    description: 'verifies with a key that is for another algorithm (RFC 7517 §4.4)',
    parts: withoutMember('alg'),
    breaks: ['JWT-02'],
    fails: { 'id-jag-keys': ['key-algorithm'] },
  },
  refusedKeySetWithUnknownKey: {
    description: 'rejects a whole key set for one key that it cannot read (RFC 7517 §5)',
    parts: seeingKeys((keySet) => (keySet.keys.every(isReadable) ? keySet : NO_KEYS)),
    breaks: ['JWK-01-READING.service'],
    fails: { 'id-jag-keys': ['unreadable-skipped'] },
  },
  ignoredKeyRotation: {
    description: 'never fetches a key set again (RFC 7517 §8.5)',
    parts: pausing({ fresh: Number.POSITIVE_INFINITY, unknownKey: Number.POSITIVE_INFINITY }),
    breaks: ['JWK-04', 'JWK-04-NEW-KEY', 'W3-43'],
    fails: { 'id-jag-key-rotation': ['new-key', 'try-later'] },
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
    breaks: ['JWK-04'],
    fails: { 'id-jag-key-rotation': ['old-key'] },
  },
  noKeyFetchLimit: {
    description: 'fetches the key set for each unknown kid (attack A-40)',
    parts: refetching(Number.POSITIVE_INFINITY),
    breaks: ['A-40', 'JWK-04'],
    fails: { 'id-jag-key-rotation': ['flood', 'few-fetches'] },
  },
  noKeyFetchPause: {
    description: 'fetches the key set again as soon as the last fetch has ended (attack A-40)',
    parts: pausing({ unknownKey: 0 }),
    breaks: ['A-40', 'JWK-04'],
    fails: { 'id-jag-key-rotation': ['flood', 'few-fetches'] },
  },
  longKeyFetchLimit: {
    description: 'fetches the key set up to twenty times for unknown kids (attack A-40)',
    parts: refetching(20),
    breaks: ['JWK-04'],
    fails: { 'id-jag-key-rotation': ['few-fetches'] },
  },
  longKeyFetchPause: {
    description: 'waits a day before it fetches a key set again that it could not fetch',
    parts: pausing({ failure: DAY }),
    breaks: ['W7-12'],
    fails: { 'event-keys-unreachable': ['taken-later'] },
  },
  acceptedWithoutKeys: {
    description: 'accepts a JWT unverified if the keys cannot be fetched (RFC 7515 §5.2)',
    parts: (service) => {
      const { verifier } = { ...service, ...emptyWhenAway(service) };
      const taken = alsoSigned(verifier, async (_jwt, keySet) => keySet === NO_KEYS);
      return { verifier: { ...verifier, ...taken } };
    },
    breaks: ['TOK-15', 'W3-43', 'SET-06', 'W7-12'],
    fails: {
      'id-jag-key-rotation': ['unreachable', 'try-later'],
      'event-keys-unreachable': ['not-believed', 'try-later'],
    },
  },
  wrongKeyOutageCode: {
    description: 'calls a signature wrong if the keys cannot be fetched (wire contract §3)',
    parts: emptyWhenAway,
    breaks: ['W3-43', 'W7-12'],
    fails: { 'id-jag-key-rotation': ['try-later'], 'event-keys-unreachable': ['try-later'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
