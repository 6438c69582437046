import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { omitting, tolerating } = rewire;

/** Faults of checking what an ID-JAG says. */
export const ID_JAG_CHECK_FAULTS = {
  uncheckedAudienceSuffix: {
    description: 'compares only the beginning of the audience (RFC 7523 §3, aud)',
    decisions: tolerating(
      'idJagChecks',
      'audience',
      ({ idJag: { audiences }, config }) =>
        audiences.length === 1 && audiences.every((audience) => audience.startsWith(config.issuer)),
    ),
    fails: { 'id-jag-audience': ['look-alike', 'resource-address'] },
  },
  acceptedSeveralAudiences: {
    description: 'accepts an ID-JAG for several audiences (ID-JAG draft §4.4.1)',
    decisions: tolerating('idJagChecks', 'audience', ({ idJag: { audiences }, config }) =>
      audiences.includes(config.issuer),
    ),
    fails: { 'id-jag-audience': ['several'] },
  },
  acceptedResourceAudience: {
    description: 'accepts the URL of a resource as audience (ID-JAG draft §4.4.1)',
    config: (right) => ({ ...right, acceptResourceAudience: true }),
    fails: { 'id-jag-audience': ['look-alike', 'resource-address'] },
  },
  acceptedFutureIat: {
    description: 'accepts an ID-JAG issued in the future (RFC 7523 §3, iat)',
    decisions: omitting('idJagChecks', 'issuance'),
    fails: { 'id-jag-times': ['issued-later'] },
  },
  uncheckedNbf: {
    description: 'accepts an ID-JAG before its nbf (RFC 7523 §3, nbf)',
    decisions: omitting('idJagChecks', 'not-before'),
    fails: { 'id-jag-times': ['not-before'] },
  },
  noClockSkew: {
    description: 'allows for no clock skew (wire contract §0)',
    config: (right) => ({ ...right, lifetimes: { ...right.lifetimes, clockSkew: 0 } }),
    fails: { 'id-jag-times': ['skew'] },
  },
  uncheckedIdJagResource: {
    description: 'accepts an ID-JAG for a resource of another service (wire contract §3)',
    decisions: omitting('idJagChecks', 'resource'),
    fails: { 'id-jag-scope': ['foreign-resource'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
