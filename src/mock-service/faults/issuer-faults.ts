import {
  AUTHORIZATION_SERVER_PATH,
  isJsonObject,
  type JsonObject,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import type { TrustedIssuer } from '../config/config.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';
import { verifying } from './verifying.ts';

/** Whoever is not trusted is looked up another way. */
const alsoTrusting = (
  lookUp: (
    claims: JsonObject,
    service: ServiceContext,
  ) => TrustedIssuer | undefined | Promise<TrustedIssuer | undefined>,
): Rewired =>
  verifying(({ issuerOf }, service) => ({
    issuerOf: async (claims) => (await issuerOf(claims)) ?? lookUp(claims, service),
  }));

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

/** An issuer as its own metadata describes it. */
async function discover(
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

/** Faults of knowing whom to trust. */
export const ISSUER_FAULTS = {
  uncheckedIssuer: {
    description: 'trusts any issuer that publishes keys (RFC 7523 §3, iss)',
    parts: alsoTrusting(discover),
    breaks: ['JWT-05', 'TOK-13', 'IDJ-19', 'A-09.service', 'SET-06', 'A-07-ISSUER', 'A-27-FORGED'],
    fails: {
      'id-jag-issuer': ['stranger', 'look-alike', 'sub-id', 'unfetched'],
      'event-refusals': ['unknown-issuer', 'unfetched'],
    },
  },
  uncheckedIssuerFetch: {
    description: 'fetches the keys of an issuer before it checks whether to trust it (attack A-09)',
    parts: verifying(({ issuerOf }, service) => ({
      issuerOf: async (claims) => {
        const named = await discover(claims, service);
        if (named?.jwksUri !== undefined) await service.fetchDocument(named.jwksUri);
        return issuerOf(claims);
      },
    })),
    breaks: ['A-09.service'],
    fails: { 'id-jag-issuer': ['unfetched'], 'event-refusals': ['unfetched'] },
  },
  trustedSubId: {
    description: 'trusts an issuer if its sub_id names a trusted one (ID-JAG draft §9.5)',
    parts: alsoTrusting((claims, service) => {
      const { sub_id: subId } = claims;
      const isNamed = isJsonObject(subId) && service.trust.find(subId['iss']) !== undefined;
      return isNamed ? discover(claims, service) : undefined;
    }),
    breaks: ['IDJ-19', 'A-09.service', 'A-07-ISSUER'],
    fails: { 'id-jag-issuer': ['sub-id', 'unfetched'] },
  },
  uncheckedIssuerSuffix: {
    description: 'compares only the beginning of an issuer (RFC 7523 §3, iss)',
    parts: alsoTrusting(({ iss }, { trust }) =>
      trust.list().find(({ issuer }) => String(iss).startsWith(issuer)),
    ),
    breaks: ['JWT-05', 'TOK-13', 'A-07-ISSUER'],
    fails: { 'id-jag-issuer': ['look-alike'] },
  },
  uncheckedKeyIssuer: {
    description: 'accepts any iss with the keys of a trusted issuer (RFC 8725 §3.8)',
    parts: alsoTrusting((_claims, { trust }) => trust.list()[0]),
    breaks: ['JWT-05', 'TOK-13', 'JWT-09', 'A-07-ISSUER'],
    fails: { 'id-jag-kinds': ['own-issuer'], 'id-jag-issuer': ['look-alike'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
