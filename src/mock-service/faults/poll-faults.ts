import type { RegistrationFacts } from '../claim-machine/index.ts';
import { at, both, pacing, refusing, seeing, without } from './redeciding.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const polledAt = (facts: RegistrationFacts, lastPollAt: number | undefined): RegistrationFacts =>
  facts.attempt === undefined ? facts : { ...facts, attempt: { ...facts.attempt, lastPollAt } };

const isDenied = ({ attempt }: RegistrationFacts) => attempt?.deniedAt !== undefined;

/** Faults: what it decides wrongly about the polls of an agent, and about what they deliver. */
export const POLL_FAULTS = {
  noSlowDown: {
    description: 'never answers slow_down (RFC 8628 §3.5)',
    decisions: at(
      'poll',
      ['pending'],
      seeing((facts) => polledAt(facts, undefined)),
    ),
    breaks: ['DEV-09'],
    fails: { polling: ['slow-down'] },
  },
  extraSlowDown: {
    description: 'answers slow_down to every poll of an open attempt',
    decisions: at(
      'poll',
      ['pending'],
      seeing((facts, _input, { now }) => polledAt(facts, now)),
    ),
    breaks: ['W6-15'],
    fails: { polling: ['first-poll', 'pace'] },
  },
  noIntervalIncrease: {
    description: 'answers slow_down without raising the interval (RFC 8628 §3.5)',
    decisions: pacing({ step: 0 }),
    breaks: ['DEV-09', 'W6-16'],
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
    breaks: ['W6-14'],
    fails: { polling: ['final-at-once'] },
  },
  noDelivery: {
    description: 'never delivers a completed claim',
    decisions: at('poll', ['claimed'], refusing('authorization_pending')),
    breaks: [
      'AR-STATE-5',
      'AR-EP-8.service',
      'AR-AUTH-2.service',
      'W6-12',
      'AR-DOES-4.service',
      'AR-EP-6',
      'AR-AUTH-4.service',
      'W8-02',
      'AR-STATE-8.service',
    ],
    fails: {
      anonymous: ['claimed'],
      'service-auth': ['claimed'],
      reopen: ['new-attempt-claims'],
      'attempt-expiry': ['claimed'],
    },
  },
  wrongUnstartedCode: {
    description: 'answers expired_token before a claim is started',
    decisions: at('poll', ['unclaimed'], refusing('expired_token')),
    breaks: ['TOK-19'],
    fails: { anonymous: ['unstarted'] },
  },
  wrongPendingCode: {
    description: 'answers expired_token while an attempt is open (RFC 8628 §3.5)',
    decisions: at('poll', ['pending'], refusing('expired_token')),
    breaks: ['AR-STATE-6.service', 'AR-ERR-2.service'],
    fails: { anonymous: ['pending'], 'service-auth': ['pending'] },
  },
  wrongExpiredCode: {
    description: 'answers authorization_pending after an attempt has expired (RFC 8628 §3.5)',
    decisions: at(
      'poll',
      ['lapsed'],
      refusing('authorization_pending', (facts) => !isDenied(facts)),
    ),
    breaks: ['AR-STATE-7', 'AR-ERR-3.service', 'TOK-19'],
    fails: { 'attempt-expiry': ['expired'], 'wrong-codes': ['burnt-poll'] },
  },
  extraAssertionPerPoll: {
    description: 'issues another assertion and another token at every poll',
    decisions: at(
      'poll',
      ['claimed'],
      both(
        seeing((facts, { assertionJti: jti }, { now: issuedAt, lifetimes }) => {
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
    breaks: ['TOK-21'],
    fails: { collection: ['parallel'] },
  },
  missingPostClaimScope: {
    description: 'delivers a token with less than the post-claim scopes',
    decisions: at(
      'poll',
      ['claimed'],
      seeing((facts) => ({ ...facts, postClaimScopes: facts.postClaimScopes.slice(0, 1) })),
    ),
    breaks: ['AR-OBJ-6', 'AR-STATE-1', 'W8-08', 'AMD-04'],
    fails: {
      anonymous: ['post-claim-scope', 'pre-claim-scope'],
      'service-auth': ['post-claim-scope'],
    },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
