import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { verifying } from '../../../../src/mock-service/faults/trust-faults.ts';
import {
  rewire,
  type ServiceContext,
  type TrustedIssuer,
} from '../../../../src/mock-service/index.ts';
import { isJsonObject, type JsonObject } from '../../../../src/protocol/json.ts';
import { AUTHORIZATION_SERVER_PATH, withoutFinalSlash } from '../../../../src/protocol/urls.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { replacing } = rewire;

/** An issuer as its own metadata describes it. */
async function discover(
  claims: JsonObject,
  { verifier }: Pick<ServiceContext, 'verifier'>,
): Promise<TrustedIssuer | undefined> {
  const { iss, client_id: clientId } = claims;
  if (typeof iss !== 'string' || !URL.canParse(iss)) return undefined;
  for (const url of metadataUrls(iss)) {
    const fetched = await verifier.fetchDocument(url);
    const jwksUri = fetched.ok ? fetched.document['jwks_uri'] : undefined;
    if (typeof jwksUri === 'string') {
      return { issuer: iss, name: iss, jwksUri, clientIds: [String(clientId)] };
    }
  }
  return undefined;
}

/** Where an issuer's metadata may be: inserted before its path, or behind it (RFC 8414 §3.1, §5). */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const base = withoutFinalSlash(issuer);
  return [
    `${origin}${AUTHORIZATION_SERVER_PATH}${withoutFinalSlash(pathname)}`,
    `${base}${AUTHORIZATION_SERVER_PATH}`,
    `${base}/.well-known/openid-configuration`,
  ];
}

/** The token endpoint looks at an issuer before it verifies: what is trusted is decided there alone. */
const everywhere =
  (parts: Rewired): Rewired =>
  (mock) => ({
    ...parts(mock),
    trust: replacing(mock.trust, { find: (iss) => mock.trust.find(iss) ?? mock.trust.list()[0] }),
  });

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

/** Faults of knowing whom to trust. */
export const ISSUER_FAULTS = {
  uncheckedIssuer: {
    description: 'trusts any issuer that publishes keys (RFC 7523 §3, iss)',
    parts: everywhere(alsoTrusting(discover)),
    fails: {
      'id-jag-issuer': ['stranger', 'look-alike', 'sub-id', 'unfetched'],
      'redemption-issuer': ['stranger', 'look-alike', 'sub-id', 'unfetched'],
      'event-refusals': ['unknown-issuer', 'unfetched'],
    },
  },
  uncheckedIssuerFetch: {
    description: 'fetches the keys of an issuer before it checks whether to trust it (attack A-09)',
    parts: everywhere(
      verifying(({ issuerOf }, service) => ({
        issuerOf: async (claims) => {
          const named = await discover(claims, service);
          if (named?.jwksUri !== undefined) await service.verifier.fetchDocument(named.jwksUri);
          return issuerOf(claims);
        },
      })),
    ),
    fails: {
      'id-jag-issuer': ['unfetched'],
      'event-refusals': ['unfetched'],
      'redemption-issuer': ['unfetched'],
    },
  },
  trustedSubId: {
    description: 'trusts an issuer if its sub_id names a trusted one (ID-JAG draft §9.5)',
    parts: everywhere(
      alsoTrusting((claims, service) => {
        const { sub_id: subId } = claims;
        const isNamed = isJsonObject(subId) && service.trust.find(subId['iss']) !== undefined;
        return isNamed ? discover(claims, service) : undefined;
      }),
    ),
    fails: {
      'id-jag-issuer': ['sub-id', 'unfetched'],
      'redemption-issuer': ['sub-id', 'unfetched'],
    },
  },
  uncheckedIssuerSuffix: {
    description: 'compares only the beginning of an issuer (RFC 7523 §3, iss)',
    parts: everywhere(
      alsoTrusting(({ iss }, { trust }) =>
        trust.list().find(({ issuer }) => String(iss).startsWith(issuer)),
      ),
    ),
    fails: { 'id-jag-issuer': ['look-alike'], 'redemption-issuer': ['look-alike'] },
  },
  uncheckedKeyIssuer: {
    description: 'accepts any iss with the keys of a trusted issuer (RFC 8725 §3.8)',
    parts: alsoTrusting((_claims, { trust }) => trust.list()[0]),
    fails: { 'id-jag-kinds': ['own-issuer'], 'id-jag-issuer': ['look-alike'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
