import {
  AUTHORIZATION_SERVER_PATH,
  type JsonObject,
  type JwkSet,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import type { TrustedIssuer } from '../config/config.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { KeySetPauses } from '../trust/index.ts';
import type { Rewired, ServiceFault } from './service-fault.ts';
import { alsoAlgorithm, alsoCritical, alsoSigned, judgingHeaders, verifying } from './verifying.ts';

function isNone(alg: string): boolean {
  return alg.toLowerCase() === 'none';
}

/** Key sets are fetched at another pace. */
export const pausing =
  (pauses: Partial<KeySetPauses>): Rewired =>
  ({ keySetPauses }) => ({ keySetPauses: { ...keySetPauses, ...pauses } });

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

/** An issuer as its own metadata describes it. */
export async function discover(
  claims: JsonObject,
  { fetchDocument }: Pick<ServiceContext, 'fetchDocument'>,
): Promise<TrustedIssuer | undefined> {
  const { iss, client_id: clientId } = claims;
  if (typeof iss !== 'string' || !URL.canParse(iss)) return undefined;
  for (const url of metadataUrls(iss)) {
    const fetched = await fetchDocument(url);
    const jwksUri = fetched.ok ? fetched.document['jwks_uri'] : undefined;
    if (typeof jwksUri === 'string') {
      return { issuer: iss, name: iss, jwksUri, clientIds: [String(clientId)] };
    }
  }
  return undefined;
}

/** Where an issuer's metadata may be: inserted before its path, or behind it (RFC 8414 §3.1, §5). */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const base = withoutFinalSlash(issuer);
  return [
    `${origin}${AUTHORIZATION_SERVER_PATH}${withoutFinalSlash(pathname)}`,
    `${base}${AUTHORIZATION_SERVER_PATH}`,
    `${base}/.well-known/openid-configuration`,
  ];
}

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
    parts: verifying(({ keySet }, { keySource }) => ({
      keySet: (trusted, header) =>
        typeof header['jku'] === 'string'
          ? keySource.keySet(header['jku'], String(header['kid']))
          : keySet(trusted, header),
    })),
  },
  uncheckedTyp: {
    description: 'accepts a JWT of any typ (RFC 8725 §3.11)',
    parts: verifying((right) => judgingHeaders(right, 'type', () => true)),
  },
  ignoredKeyRotation: {
    description: 'never fetches a key set again (RFC 7517 §8.5)',
    parts: pausing({ fresh: Number.POSITIVE_INFINITY, unknownKey: Number.POSITIVE_INFINITY }),
  },
  acceptedWithoutKeys: {
    description: 'accepts a JWT unverified if the keys cannot be fetched (RFC 7515 §5.2)',
    parts: (service) => {
      const { verifier } = { ...service, ...emptyWhenAway(service) };
      const taken = alsoSigned(verifier, async (_jwt, keySet) => keySet === NO_KEYS);
      return { verifier: { ...verifier, ...taken } };
    },
  },
  uncheckedIssuer: {
    description: 'trusts any issuer that publishes keys (RFC 7523 §3, iss)',
    parts: alsoTrusting(discover),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
