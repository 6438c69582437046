import { omitting, tolerating } from './check-lists.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

/** Faults of checking what an ID-JAG says. */
export const ID_JAG_CHECK_FAULTS = {
  uncheckedAudience: {
    description: 'accepts an ID-JAG for another service (RFC 7523 §3, aud)',
    decisions: omitting('idJagChecks', 'audience'),
    breaks: ['A-11.service', 'A-51', 'IDJ-17', 'JWT-06', 'AR-OBJ-1.service', 'TOK-13'],
    fails: { 'id-jag-audience': ['other-service'] },
  },
  uncheckedAudienceSuffix: {
    description: 'compares only the beginning of the audience (RFC 7523 §3, aud)',
    decisions: tolerating(
      'idJagChecks',
      'audience',
      ({ idJag: { audiences }, config }) =>
        audiences.length === 1 && audiences.every((audience) => audience.startsWith(config.issuer)),
    ),
    breaks: ['IDJ-17', 'JWT-06', 'W3-30'],
    fails: { 'id-jag-audience': ['look-alike', 'resource-address'] },
  },
  acceptedSeveralAudiences: {
    description: 'accepts an ID-JAG for several audiences (ID-JAG draft §4.4.1)',
    decisions: tolerating('idJagChecks', 'audience', ({ idJag: { audiences }, config }) =>
      audiences.includes(config.issuer),
    ),
    breaks: ['IDJ-17', 'TOK-17'],
    fails: { 'id-jag-audience': ['several'] },
  },
  acceptedResourceAudience: {
    description: 'accepts the URL of a resource as audience (ID-JAG draft §4.4.1)',
    config: (right) => ({ ...right, acceptResourceAudience: true }),
    breaks: ['IDJ-17', 'JWT-06', 'W3-30'],
    fails: { 'id-jag-audience': ['look-alike', 'resource-address'] },
  },
  uncheckedClientId: {
    description: 'accepts an ID-JAG issued to another client (ID-JAG draft §4.4.1)',
    decisions: omitting('idJagChecks', 'client'),
    breaks: ['IDJ-18'],
    fails: { 'id-jag-claims': ['client-id'] },
  },
  uncheckedExp: {
    description: 'accepts an expired ID-JAG (RFC 7523 §3, exp)',
    decisions: omitting('idJagChecks', 'expiry'),
    breaks: ['A-50.service', 'TOK-13'],
    fails: { 'id-jag-times': ['expired'] },
  },
  acceptedFutureIat: {
    description: 'accepts an ID-JAG issued in the future (RFC 7523 §3, iat)',
    decisions: omitting('idJagChecks', 'issuance'),
    breaks: ['TOK-14'],
    fails: { 'id-jag-times': ['issued-later'] },
  },
  uncheckedNbf: {
    description: 'accepts an ID-JAG before its nbf (RFC 7523 §3, nbf)',
    decisions: omitting('idJagChecks', 'not-before'),
    breaks: ['A-50.service', 'TOK-13'],
    fails: { 'id-jag-times': ['not-before'] },
  },
  acceptedLongLifetime: {
    description: 'accepts an ID-JAG that is valid for years (wire contract §0)',
    decisions: omitting('idJagChecks', 'lifetime'),
    breaks: ['TOK-14'],
    fails: { 'id-jag-times': ['lifetime'] },
  },
  noClockSkew: {
    description: 'allows for no clock skew (wire contract §0)',
    config: (right) => ({ ...right, lifetimes: { ...right.lifetimes, clockSkew: 0 } }),
    breaks: ['TOK-18'],
    fails: { 'id-jag-times': ['skew'] },
  },
  uncheckedIdJagResource: {
    description: 'accepts an ID-JAG for a resource of another service (wire contract §3)',
    decisions: omitting('idJagChecks', 'resource'),
    breaks: ['W3-33'],
    fails: { 'id-jag-scope': ['foreign-resource'] },
  },
  uncheckedAuthTime: {
    description: 'accepts an ID-JAG however long ago its auth_time is',
    decisions: omitting('idJagChecks', 'sign-in'),
    breaks: ['IDJ-21'],
    fails: { 'id-jag-sign-in-age': ['asked', 'known-too'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
