import { atEndpoint } from '../../mock/faults/endpoint.ts';
import { withoutCsrf } from '../../mock/faults/without-csrf.ts';
import type { EventInputs } from '../claim-machine/events.ts';
import { isBurnt, type RegistrationFacts } from '../claim-machine/facts.ts';
import { isUserCode } from '../config/code-format.ts';
import { PATHS } from '../config/paths.ts';
import {
  at,
  BEFORE_CLAIM,
  effecting,
  inState,
  refusing,
  withFacts,
  withInput,
  without,
} from './redeciding.ts';
import type { ServiceFault } from './service-fault.ts';

/** Whoever is signed in is taken for the one whose claim it is. */
export function asOwner<I extends EventInputs['deny']>(input: I, { email }: RegistrationFacts): I {
  return email === undefined ? input : { ...input, account: { ...input.account, email } };
}

export const isDenied = ({ attempt }: RegistrationFacts) => attempt?.deniedAt !== undefined;

export const COMPLETION = { path: PATHS.complete, method: 'POST' } as const;

const polledAt = (facts: RegistrationFacts, lastPollAt: number | undefined): RegistrationFacts =>
  facts.attempt === undefined ? facts : { ...facts, attempt: { ...facts.attempt, lastPollAt } };

/** Faults: what it decides wrongly about claims. */
export const CLAIM_FAULTS = {
  shortAttempt: {
    description: 'ends an attempt after half of the time that it announced (RFC 8628 §3.2)',
    decisions: at(
      'start',
      BEFORE_CLAIM,
      effecting('open_attempt', (effect, { now }) => [
        { ...effect, expiresAt: Math.floor((now + effect.expiresAt) / 2) },
      ]),
    ),
  },
  uncheckedClaimAccount: {
    description: 'lets any signed-in account complete a claim',
    decisions: at('submit', ['pending'], withInput(asOwner)),
  },
  noTryLimit: {
    description: 'lets a user code be guessed any number of times (RFC 8628 §5.1)',
    decisions: at(
      'submit',
      ['pending'],
      withInput((input) => (input.code === 'wrong' ? { ...input, code: 'malformed' } : input)),
    ),
  },
  acceptedExpiredUserCode: {
    description: 'accepts a user code after its attempt has expired (RFC 8628 §3.2, expires_in)',
    decisions: at(
      'submit',
      ['lapsed'],
      inState('pending', (facts) => {
        return facts.attempt !== undefined && !isDenied(facts) && !isBurnt(facts, facts.attempt);
      }),
    ),
  },
  stalePreClaimTokens: {
    description: 'keeps pre-claim access tokens active after the claim',
    decisions: at('submit', ['pending'], without('end_credentials')),
  },
  ignoredDenial: {
    description: 'answers a denial without acting on it (RFC 8628 §3.3)',
    decisions: at('deny', ['pending'], without('deny_attempt')),
  },
  uncheckedUserCode: {
    description: 'accepts any user code of the right length',
    parts: ({ config, secrets }) => ({
      secrets: {
        ...secrets,
        checkUserCode: (_facts, typed) =>
          isUserCode(config.codeFormat, typed) ? 'right' : 'malformed',
      },
    }),
  },
  uncheckedClaimCsrf: {
    description: 'accepts a claim form from any page (RFC 9700 §4.7)',
    parts: (mock) =>
      atEndpoint(mock, COMPLETION, ({ sessions }) => ({ sessions: withoutCsrf(sessions) })),
  },
  noSlowDown: {
    description: 'never answers slow_down (RFC 8628 §3.5)',
    decisions: at(
      'poll',
      ['pending'],
      withFacts((facts) => polledAt(facts, undefined)),
    ),
  },
  extraSlowDown: {
    description: 'answers slow_down to every poll of an open attempt',
    decisions: at(
      'poll',
      ['pending'],
      withFacts((facts, _input, { now }) => polledAt(facts, now)),
    ),
  },
  noDelivery: {
    description: 'never delivers a completed claim',
    decisions: at('poll', ['claimed'], refusing('authorization_pending')),
  },
  wrongPendingCode: {
    description: 'answers expired_token while an attempt is open (RFC 8628 §3.5)',
    decisions: at('poll', ['pending'], refusing('expired_token')),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
