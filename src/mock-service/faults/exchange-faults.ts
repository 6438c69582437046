import { type RegistrationFacts, STATES } from '../claim-machine/index.ts';
import { at, BEFORE_CLAIM, refusing, seeing } from './redeciding.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const withScopesOfAfter = (facts: RegistrationFacts): RegistrationFacts => ({
  ...facts,
  preClaimScopes: facts.postClaimScopes,
});

/** Faults: what it decides wrongly when an assertion is exchanged. */
export const EXCHANGE_FAULTS = {
  refusedAnonymousAssertion: {
    description: 'refuses the assertion of an anonymous registration',
    decisions: at('exchange', BEFORE_CLAIM, refusing('invalid_grant')),
    breaks: ['AR-DOES-2.service', 'AR-STATE-1', 'AR-EP-7.service', 'AR-AUTH-2.service'],
    fails: { anonymous: ['exchanged'] },
  },
  extraPreClaimScope: {
    description: 'grants the post-claim scopes before the claim',
    decisions: at('exchange', BEFORE_CLAIM, seeing(withScopesOfAfter)),
    breaks: ['AR-OBJ-6', 'AR-STATE-1', 'W8-08', 'AMD-04', 'A-25'],
    fails: { anonymous: ['pre-claim-scope', 'scope-in-flight', 'no-escalation'] },
  },
  extraInFlightScope: {
    description: 'grants the post-claim scopes while a claim is under way',
    decisions: at('exchange', ['pending', 'lapsed'], seeing(withScopesOfAfter)),
    breaks: ['W8-08', 'AMD-04', 'A-25'],
    fails: { anonymous: ['scope-in-flight', 'no-escalation'] },
  },
  uncheckedPreClaimScope: {
    description: 'grants whatever scope is asked for before the claim (RFC 6749 §3.3)',
    decisions: at(
      'exchange',
      BEFORE_CLAIM,
      seeing((facts, { target }) =>
        target.scopes === undefined ? facts : withScopesOfAfter(facts),
      ),
    ),
    breaks: ['A-25', 'W6-10', 'A-25-SCOPE'],
    fails: { 'token-scope': ['beyond'], anonymous: ['no-escalation'] },
  },
  stalePreClaimAssertion: {
    description: 'accepts the pre-claim assertion after the claim',
    decisions: at(
      'exchange',
      STATES,
      seeing((facts, { version }) => ({ ...facts, version })),
    ),
    breaks: ['TOK-20', 'W6-23', 'A-25-FIRST'],
    fails: { anonymous: ['first-assertion-powerless', 'first-assertion-refused'] },
  },
  shortClaimedRegistration: {
    description: 'ends a claimed registration with the claim window',
    decisions: at(
      'exchange',
      ['claimed'],
      refusing('invalid_grant', ({ windowEndsAt }, _input, { now }) => now >= windowEndsAt),
    ),
    breaks: ['W4-10'],
    fails: { 'claimed-for-good': ['lasting'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
