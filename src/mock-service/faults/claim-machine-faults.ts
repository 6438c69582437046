import { replacing } from '../../mock/index.ts';
import { DAY, HOUR } from '../../protocol/index.ts';
import {
  type EventInputs,
  isBurnt,
  type RegistrationFacts,
  refuse,
} from '../claim-machine/index.ts';
import {
  answering,
  asThough,
  at,
  BEFORE_CLAIM,
  effecting,
  everywhere,
  hearing,
  seeing,
  without,
} from './redeciding.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

/** Whoever is signed in is taken for the one whose claim it is. */
function asOwner<I extends EventInputs['deny']>(input: I, { email }: RegistrationFacts): I {
  return email === undefined ? input : { ...input, account: { ...input.account, email } };
}

const isDenied = ({ attempt }: RegistrationFacts) => attempt?.deniedAt !== undefined;

/** Faults: what it decides wrongly about attempts to claim, and about their codes. */
export const CLAIM_MACHINE_FAULTS = {
  endlessClaimWindow: {
    description: 'never ends the outer claim window',
    decisions: everywhere((facts) => ({ ...facts, windowEndsAt: Number.MAX_SAFE_INTEGER })),
    parts: ({ assertions }) => ({
      assertions: replacing(assertions, {
        sign: (facts, times) => {
          const isClaimed = facts.claimedAt !== undefined || !facts.needsClaim;
          const expiresAt = times.expiresAt + (isClaimed ? 0 : DAY);
          return assertions.sign(facts, { ...times, expiresAt });
        },
      }),
    }),
    breaks: ['W8-11', 'W4-11', 'A-19'],
    fails: {
      'window-expiry': ['assertion-over', 'assertion-code', 'no-fresh-attempt', 'late-code'],
    },
  },
  shortClaimWindow: {
    description: 'ends the outer claim window an hour early',
    decisions: everywhere((facts) => ({ ...facts, windowEndsAt: facts.windowEndsAt - HOUR })),
    breaks: ['W0-03'],
    fails: { 'window-expiry': ['still-open'] },
  },
  ignoredEarlierTries: {
    description: 'forgets earlier wrong codes with each new attempt (attack A-17)',
    decisions: everywhere((facts) => ({ ...facts, wrongCodes: facts.attempt?.wrongCodes ?? 0 })),
    breaks: ['A-17', 'DEV-18'],
    fails: { 'wrong-codes': ['overall-limit'] },
  },

  acceptedClaimedReopen: {
    description: 'opens an attempt for a claimed registration',
    decisions: at('start', ['claimed'], asThough('unclaimed')),
    breaks: ['W4-10'],
    fails: { 'claim-start': ['claimed-refused'], 'claimed-for-good': ['no-fresh-attempt'] },
  },
  acceptedRevokedReopen: {
    description: 'opens an attempt for a registration that was ended',
    decisions: at('start', ['revoked'], asThough('unclaimed')),
    breaks: ['W5-18'],
    fails: { connections: ['for-good'], 'event-confirmed': ['not-reopened'] },
  },
  refusedAttemptAfterExpiry: {
    description: 'refuses a new attempt after one has expired (wire contract §4)',
    decisions: at('start', ['lapsed'], answering(refuse('claim', 'claim_expired'))),
    breaks: ['AR-STATE-8.service', 'W4-02'],
    fails: { 'attempt-expiry': ['reopened'] },
  },
  refusedNewAttempt: {
    description: 'refuses a new attempt while one is open (wire contract §4)',
    decisions: at('start', ['pending'], answering(refuse('claim', 'claimed_or_in_flight'))),
    breaks: ['W8-02'],
    fails: { reopen: ['reopened'] },
  },
  shortAttempt: {
    description: 'ends an attempt after half of the time that it announced (RFC 8628 §3.2)',
    decisions: at(
      'start',
      BEFORE_CLAIM,
      effecting('open_attempt', (effect, { now }) => [
        { ...effect, expiresAt: Math.floor((now + effect.expiresAt) / 2) },
      ]),
    ),
    breaks: ['W0-03'],
    fails: { 'attempt-expiry': ['not-early'] },
  },
  staleAttempt: {
    description: 'keeps the old attempt open beside the new one (wire contract §4)',
    decisions: at('start', ['pending'], without('open_attempt')),
    breaks: ['A-19', 'DEV-20'],
    fails: { reopen: ['old-attempt-over'] },
  },
  acceptedEmailChange: {
    description: 'hands a registration made for one email over to another (attack A-16)',
    decisions: at(
      'start',
      BEFORE_CLAIM,
      seeing((facts) => ({ ...facts, type: 'anonymous' })),
    ),
    breaks: ['W4-05', 'A-16-EMAIL'],
    fails: { 'reopen-by-email': ['other-refused'] },
  },

  uncheckedClaimAccount: {
    description: 'lets any signed-in account complete a claim',
    decisions: at('submit', ['pending'], hearing(asOwner)),
    breaks: ['A-16.service', 'W5-01'],
    fails: { 'wrong-account': ['not-claimed'], reopen: ['old-address-out'] },
  },
  uncheckedSubmitAccount: {
    description: 'checks the account when it shows the claim page, but not when the form is sent',
    decisions: at(
      'submit',
      ['pending'],
      // The page looks at what is stored without a code.
      hearing((input, facts) => (input.code === 'malformed' ? input : asOwner(input, facts))),
    ),
    breaks: ['A-16.service', 'W5-01'],
    fails: { 'wrong-account': ['form-refused'] },
  },
  uncheckedDenialAccount: {
    description: 'lets any signed-in account deny a claim',
    decisions: at('deny', ['pending'], hearing(asOwner)),
    breaks: ['A-16-DENY'],
    fails: { 'wrong-account': ['not-denied'] },
  },
  noTryLimit: {
    description: 'lets a user code be guessed any number of times (RFC 8628 §5.1)',
    decisions: at(
      'submit',
      ['pending'],
      hearing((input) => (input.code === 'wrong' ? { ...input, code: 'malformed' } : input)),
    ),
    breaks: ['A-17', 'W5-30', 'DEV-13', 'DEV-18'],
    fails: { 'wrong-codes': ['burnt'], 'claim-races': [] },
  },
  acceptedExpiredUserCode: {
    description: 'accepts a user code after its attempt has expired (RFC 8628 §3.2, expires_in)',
    decisions: at(
      'submit',
      ['lapsed'],
      asThough('pending', (facts) => {
        return facts.attempt !== undefined && !isDenied(facts) && !isBurnt(facts, facts.attempt);
      }),
    ),
    breaks: ['A-19'],
    fails: { 'attempt-expiry': ['late-code'] },
  },
  acceptedDeniedUserCode: {
    description: 'accepts the user code of an attempt that was denied',
    decisions: at('submit', ['lapsed'], asThough('pending', isDenied)),
    breaks: ['A-19'],
    fails: { denial: ['no-way-back'] },
  },
  extraRevocationOnRepeat: {
    description: 'revokes a registration when its code is sent twice (attack A-26)',
    decisions: at('submit', ['claimed'], (right) => (facts, input, context) => {
      if (input.code !== 'right') return right(facts, input, context);
      const { effects } = context.matrix.revoke.claimed.decide(facts, {}, context);
      return { outcome: { kind: 'claimed' }, effects };
    }),
    breaks: ['A-26'],
    fails: { 'claim-races': ['twice-completed'] },
  },
  stalePreClaimTokens: {
    description: 'keeps pre-claim access tokens active after the claim',
    decisions: at('submit', ['pending'], without('end_credentials')),
    breaks: ['TOK-20'],
    fails: { anonymous: ['pre-claim-token-dead'] },
  },
  staleAssertionVersion: {
    description: 'completes a claim without raising the version of the assertion',
    decisions: at('submit', ['pending'], without('raise_version')),
    breaks: ['W3-36', 'TOK-20', 'W6-23', 'A-25-FIRST'],
    fails: { anonymous: ['versions', 'first-assertion-powerless', 'first-assertion-refused'] },
  },

  ignoredDenial: {
    description: 'answers a denial without acting on it (RFC 8628 §3.3)',
    decisions: at('deny', ['pending'], without('deny_attempt')),
    breaks: ['DEV-10', 'W8-04'],
    fails: { denial: ['denied'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
