import type { CoreFlow } from '../engine/core.ts';

/** What a service has to be judged on before anybody says that it conforms. */
export const SERVICE_CORE: readonly CoreFlow[] = [
  {
    story: 'an anonymous registration, claimed to its end',
    checks: ['anonymous.registered', 'anonymous.exchanged', 'anonymous.claimed'],
  },
  {
    story: 'a registration by email, claimed to its end',
    checks: ['service-auth.registered', 'service-auth.claimed', 'service-auth.works'],
  },
  {
    story: 'a registration by an ID-JAG, to a call',
    checks: ['id-jag.taken', 'id-jag.exchanged', 'id-jag.works'],
  },
  {
    story: 'an ID-JAG redeemed at the token endpoint, to a call',
    checks: ['redemption.granted', 'redemption.works'],
  },
  { story: 'an exchange', checks: ['exchange.granted'], required: true },
  { story: 'a call with the access token', checks: ['bearer.works'], required: true },
  {
    story: 'a revocation',
    checks: ['revocation.taken', 'revocation.at-once'],
    required: true,
  },
];
