import { tolerated } from '../../../../src/mock-service/faults/cross-app-faults.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { answeringRedeemed, demanding } from './redeeming.ts';

/** The claims of §3.1 of the ID-JAG draft, and those of a sign-in. */
const KNOWN = [
  ...['iss', 'sub', 'aud', 'client_id', 'jti', 'iat', 'exp', 'nbf', 'auth_time', 'email'],
  ...['email_verified', 'resource', 'scope', 'cnf', 'authorization_details', 'sub_id'],
];

/** Faults of the redemption of right ID-JAGs, and of whom they are for. */
export const REDEMPTION_FAULTS = {
  refusedRedemption: {
    description: 'redeems no ID-JAG',
    decisions: demanding(() => false),
    fails: { redemption: ['granted'] },
  },
  refusedRedeemedAudienceList: {
    description: 'refuses an aud that is a list with itself alone (ID-JAG §4.4.1)',
    decisions: demanding(({ claims }) => typeof claims['aud'] === 'string'),
    fails: { redemption: ['list-of-one'] },
  },
  refusedRedeemedUnknownClaim: {
    description: 'refuses an ID-JAG with a claim that it does not know (RFC 7519 §4)',
    decisions: demanding(({ claims }) => Object.keys(claims).every((name) => KNOWN.includes(name))),
    fails: { redemption: ['unknown-claims'] },
  },
  missingGrantedResource: {
    description: 'does not say which resource the token of an ID-JAG is for (ID-JAG §4.4.1)',
    answers: answeringRedeemed(({ resource: _resource, ...body }) => body),
    fails: { redemption: ['resource-told'] },
  },
  acceptedForeignAudience: {
    description: 'redeems an ID-JAG that is for another service (ID-JAG §4.4.1)',
    decisions: tolerated('audience'),
    fails: { 'redemption-audience': ['other-server'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
