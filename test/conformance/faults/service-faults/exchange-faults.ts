import { BEFORE_CLAIM } from '../../../../src/mock-service/faults/redeciding.ts';
import { withScopesOfAfter } from '../../../../src/mock-service/faults/token-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { at, refusing, withFacts } = rewire;

/** Faults: what it decides wrongly when an assertion is exchanged. */
export const EXCHANGE_FAULTS = {
  refusedAnonymousAssertion: {
    description: 'refuses the assertion of an anonymous registration',
    decisions: at('exchange', BEFORE_CLAIM, refusing('invalid_grant')),
    fails: { anonymous: ['exchanged'] },
  },
  missingExchangedScope: {
    description: 'gives less for the assertion of a claim than the poll said that brought it',
    decisions: at(
      'exchange',
      ['claimed'],
      withFacts((facts) => ({ ...facts, postClaimScopes: facts.postClaimScopes.slice(0, 1) })),
    ),
    fails: { 'later-assertions': ['scope'] },
  },
  extraInFlightScope: {
    description: 'grants the post-claim scopes while a claim is under way',
    decisions: at('exchange', ['pending', 'lapsed'], withFacts(withScopesOfAfter)),
    fails: { anonymous: ['scope-in-flight', 'no-escalation'] },
  },
  uncheckedPreClaimScope: {
    description: 'grants whatever scope is asked for before the claim (RFC 6749 §3.3)',
    decisions: at(
      'exchange',
      BEFORE_CLAIM,
      withFacts((facts, { target }) =>
        target.scopes === undefined ? facts : withScopesOfAfter(facts),
      ),
    ),
    fails: { 'token-scope': ['beyond'], anonymous: ['no-escalation'] },
  },
  shortClaimedRegistration: {
    description: 'ends a claimed registration with the claim window',
    decisions: at(
      'exchange',
      ['claimed'],
      refusing('invalid_grant', ({ windowEndsAt }, _input, { now }) => now >= windowEndsAt),
    ),
    fails: { 'claimed-for-good': ['lasting'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
