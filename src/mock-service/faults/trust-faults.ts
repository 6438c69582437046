import type { JsonObject } from '../../protocol/json.ts';
import type { JwkSet } from '../../protocol/jwk.ts';
import type { TrustedIssuer } from '../config/config.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { Rewired, ServiceFault } from './service-fault.ts';
import { alsoAlgorithm, alsoCritical, alsoSigned, judgingHeaders, verifying } from './verifying.ts';

function isNone(alg: string): boolean {
  return alg.toLowerCase() === 'none';
}

/** The key set at a URL, whatever was fetched of it before. */
export async function fetchKeys(
  { verifier }: Pick<ServiceContext, 'verifier'>,
  url: string,
): Promise<JwkSet | undefined> {
  const fetched = await verifier.fetchDocument(url);
  return fetched.ok ? { keys: fetched.document['keys'] as JwkSet['keys'] } : undefined;
}

export const NO_KEYS: JwkSet = { keys: [] };

/** A set that cannot be had is taken for one without keys. */
export const emptyWhenAway: Rewired = verifying(({ keySet }) => ({
  keySet: async (trusted, header) => (await keySet(trusted, header)) ?? NO_KEYS,
}));

/** Whoever is not trusted is looked up another way. */
export const alsoTrusting = (
  lookUp: (
    claims: JsonObject,
    service: ServiceContext,
  ) => TrustedIssuer | undefined | Promise<TrustedIssuer | undefined>,
): Rewired =>
  verifying(({ issuerOf }, service) => ({
    issuerOf: async (claims) => (await issuerOf(claims)) ?? lookUp(claims, service),
  }));

/** Faults: what it believes of a JWT without proof. */
export const TRUST_FAULTS = {
  uncheckedSignature: {
    description: 'does not verify the signatures of providers (RFC 7515 §5.2)',
    // Extensions are a matter of who verifies (RFC 7515 §5.2).
    parts: verifying((right) => ({
      ...alsoCritical(right, () => true),
      ...alsoSigned(right, async () => true),
    })),
  },
  acceptedAlgNone: {
    description: 'accepts a JWT with alg none (RFC 8725 §3.2)',
    parts: verifying((right) => ({
      ...alsoAlgorithm(right, isNone),
      ...alsoSigned(right, async ({ header }) => isNone(String(header['alg']))),
    })),
  },
  trustedJku: {
    description: 'fetches the key set that the header names (RFC 8725 §3.10, jku)',
    parts: verifying(({ keySet }, service) => ({
      keySet: (trusted, header) =>
        typeof header['jku'] === 'string'
          ? fetchKeys(service, header['jku'])
          : keySet(trusted, header),
    })),
  },
  uncheckedTyp: {
    description: 'accepts a JWT of any typ (RFC 8725 §3.11)',
    parts: verifying((right) => judgingHeaders(right, 'type', () => true)),
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
  },
  acceptedWithoutKeys: {
    description: 'accepts a JWT unverified if the keys cannot be fetched (RFC 7515 §5.2)',
    parts: (service) => {
      const { verifier } = { ...service, ...emptyWhenAway(service) };
      const taken = alsoSigned(verifier, async (_jwt, keySet) => keySet === NO_KEYS);
      return { verifier: { ...verifier, ...taken } };
    },
  },
  uncheckedKeyIssuer: {
    description: 'accepts any iss with the keys of a trusted issuer (RFC 8725 §3.8)',
    parts: alsoTrusting((_claims, { trust }) => trust.list()[0]),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
