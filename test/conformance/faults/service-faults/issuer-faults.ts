import { alsoTrusting, discover } from '../../../../src/mock-service/faults/trust-faults.ts';
import { verifying } from '../../../../src/mock-service/faults/verifying.ts';
import { isJsonObject } from '../../../../src/protocol/json.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

/** Faults of knowing whom to trust. */
export const ISSUER_FAULTS = {
  uncheckedIssuerFetch: {
    description: 'fetches the keys of an issuer before it checks whether to trust it (attack A-09)',
    parts: verifying(({ issuerOf }, service) => ({
      issuerOf: async (claims) => {
        const named = await discover(claims, service);
        if (named?.jwksUri !== undefined) await service.fetchDocument(named.jwksUri);
        return issuerOf(claims);
      },
    })),
    fails: { 'id-jag-issuer': ['unfetched'], 'event-refusals': ['unfetched'] },
  },
  trustedSubId: {
    description: 'trusts an issuer if its sub_id names a trusted one (ID-JAG draft §9.5)',
    parts: alsoTrusting((claims, service) => {
      const { sub_id: subId } = claims;
      const isNamed = isJsonObject(subId) && service.trust.find(subId['iss']) !== undefined;
      return isNamed ? discover(claims, service) : undefined;
    }),
    fails: { 'id-jag-issuer': ['sub-id', 'unfetched'] },
  },
  uncheckedIssuerSuffix: {
    description: 'compares only the beginning of an issuer (RFC 7523 §3, iss)',
    parts: alsoTrusting(({ iss }, { trust }) =>
      trust.list().find(({ issuer }) => String(iss).startsWith(issuer)),
    ),
    fails: { 'id-jag-issuer': ['look-alike'] },
  },
  uncheckedKeyIssuer: {
    description: 'accepts any iss with the keys of a trusted issuer (RFC 8725 §3.8)',
    parts: alsoTrusting((_claims, { trust }) => trust.list()[0]),
    fails: { 'id-jag-kinds': ['own-issuer'], 'id-jag-issuer': ['look-alike'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
