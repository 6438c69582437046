import type { RegistrationFacts } from '../../../../src/mock-service/claim-machine/facts.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { at, both, pacing, refusing, withFacts, without } = rewire;

const isDenied = ({ attempt }: RegistrationFacts) => attempt?.deniedAt !== undefined;

/** Faults: what it decides wrongly about the polls of an agent, and about what they deliver. */
export const POLL_FAULTS = {
  noIntervalIncrease: {
    description: 'answers slow_down without raising the interval (RFC 8628 §3.5)',
    decisions: pacing({ step: 0 }),
    fails: { polling: ['raised'] },
  },
  extraSlowDownAfterClaim: {
    description: 'answers slow_down although the claim is complete (RFC 8628 §3.5)',
    decisions: at(
      'poll',
      ['claimed'],
      refusing('slow_down', ({ attempt }, _input, { now }) => {
        return attempt !== undefined && now - (attempt.lastPollAt ?? 0) < attempt.interval;
      }),
    ),
    fails: { polling: ['final-at-once'] },
  },
  wrongUnstartedCode: {
    description: 'answers expired_token before a claim is started',
    decisions: at('poll', ['unclaimed'], refusing('expired_token')),
    fails: { anonymous: ['unstarted'] },
  },
  wrongExpiredCode: {
    description: 'answers authorization_pending after an attempt has expired (RFC 8628 §3.5)',
    decisions: at(
      'poll',
      ['lapsed'],
      refusing('authorization_pending', (facts) => !isDenied(facts)),
    ),
    fails: { 'attempt-expiry': ['expired'], 'wrong-codes': ['burnt-poll'] },
  },
  extraAssertionPerPoll: {
    description: 'issues another assertion and another token at every poll',
    decisions: at(
      'poll',
      ['claimed'],
      both(
        withFacts((facts, { assertionJti: jti }, { now: issuedAt, lifetimes }) => {
          const expiresAt = issuedAt + lifetimes.claimedAssertion;
          const { delivery } = facts;
          return {
            ...facts,
            delivery: delivery && { ...delivery, assertion: { jti, issuedAt, expiresAt } },
          };
        }),
        without('end_delivered_token'),
      ),
    ),
    fails: { collection: ['parallel'] },
  },
  missingPostClaimScope: {
    description: 'delivers a token with less than the post-claim scopes',
    decisions: at(
      'poll',
      ['claimed'],
      withFacts((facts) => ({ ...facts, postClaimScopes: facts.postClaimScopes.slice(0, 1) })),
    ),
    fails: {
      anonymous: ['post-claim-scope', 'pre-claim-scope'],
      'service-auth': ['post-claim-scope'],
    },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
