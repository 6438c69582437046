import type { Effect } from './effects.ts';
import { type Decision, type EventInputs, refuse } from './events.ts';
import { ATTEMPT_TRIES, isBurnt, REGISTRATION_TRIES, type RegistrationFacts } from './facts.ts';
import type { Moment } from './matrix.ts';

/** A code typed into an open attempt (wire.md §5). */
export function submit(
  facts: RegistrationFacts,
  { account, code }: EventInputs['submit'],
  { now, faults }: Moment,
): Decision {
  const unasked = code !== 'malformed' && faults.has('strangerMayPost');
  if (account.email !== facts.email && !faults.has('strangerMayClaim') && !unasked) {
    const counted = code === 'wrong' && faults.has('strangersCounted');
    return {
      ...refuse('complete', 'wrong_account'),
      effects: counted ? [{ kind: 'count_wrong_code' }] : [],
    };
  }
  if (code === 'right') {
    return {
      outcome: { kind: 'claimed' },
      effects: [
        {
          kind: 'complete_claim',
          at: now,
          userId: account.userId,
          endsTokens: !faults.has('oldTokensLive'),
          keepsVersion: faults.has('versionStays'),
          spreads: faults.has('claimsSpread'),
        },
      ],
    };
  }
  const isTry = code === 'wrong' || faults.has('malformedCounted');
  const counted = isTry && !faults.has('wrongCodesUncounted') ? 1 : 0;
  const attempts_remaining = Math.min(
    ATTEMPT_TRIES - (facts.attempt?.wrongCodes ?? 0) - counted,
    REGISTRATION_TRIES - facts.wrongCodes - counted,
  );
  return {
    ...refuse('complete', 'invalid_user_code', { attempts_remaining }),
    effects: counted === 1 ? countTry(facts, faults) : [],
  };
}

function countTry(facts: RegistrationFacts, faults: Moment['faults']): readonly Effect[] {
  if (faults.has('firstErrorBurns')) {
    return Array.from({ length: ATTEMPT_TRIES }, () => ({ kind: 'count_wrong_code' }));
  }
  const seen = { attempt: facts.attempt?.wrongCodes ?? 0, registration: facts.wrongCodes };
  return [{ kind: 'count_wrong_code', ...(faults.has('decidesUnlocked') && { seen }) }];
}

/** A code typed into an attempt that is over: even the right one is too late. */
export function submitToLapsed(
  facts: RegistrationFacts,
  input: EventInputs['submit'],
  moment: Moment,
): Decision {
  const { attempt } = facts;
  const lapsedByTime = attempt?.deniedAt === undefined && attempt && !isBurnt(facts, attempt);
  if (lapsedByTime && moment.faults.has('lateCodeAccepted')) return submit(facts, input, moment);
  const denied = attempt?.deniedAt !== undefined;
  if (denied && moment.faults.has('deniedCodeAccepted')) return submit(facts, input, moment);
  return refuseLapsed(facts, input);
}

function refuseLapsed(
  facts: RegistrationFacts,
  { account }: Pick<EventInputs['submit'], 'account'>,
): Decision {
  const { attempt } = facts;
  if (account.email !== facts.email) return refuse('complete', 'wrong_account');
  if (attempt && attempt.deniedAt === undefined && isBurnt(facts, attempt)) {
    return refuse('complete', 'too_many_attempts');
  }
  return refuse('complete', 'claim_attempt_expired');
}

/** Submitting again after success is success, for the same account. */
export function submitAgain(
  facts: RegistrationFacts,
  { account, code }: EventInputs['submit'],
  { now, faults }: Moment,
): Decision {
  if (faults.has('repeatRefused')) return refuse('complete', 'already_claimed');
  if (faults.has('repeatRevokes') && code === 'right') {
    return { outcome: { kind: 'claimed' }, effects: [{ kind: 'revoke', at: now }] };
  }
  return account.email === facts.email
    ? { outcome: { kind: 'claimed' }, effects: [] }
    : refuse('complete', 'already_claimed');
}

export function deny(
  facts: RegistrationFacts,
  { account }: EventInputs['deny'],
  { now, faults }: Moment,
): Decision {
  if (account.email !== facts.email && !faults.has('strangerMayDeny')) {
    return refuse('complete', 'wrong_account');
  }
  if (faults.has('denialForgotten')) return { outcome: { kind: 'denied' }, effects: [] };
  return { outcome: { kind: 'denied' }, effects: [{ kind: 'deny_attempt', at: now }] };
}

export function denyAgain(
  facts: RegistrationFacts,
  input: EventInputs['deny'],
  { faults }: Moment,
): Decision {
  if (faults.has('denialRepeatRefused')) return refuseLapsed(facts, input);
  const deniedByOwner =
    facts.attempt?.deniedAt !== undefined && input.account.email === facts.email;
  return deniedByOwner ? { outcome: { kind: 'denied' }, effects: [] } : refuseLapsed(facts, input);
}
