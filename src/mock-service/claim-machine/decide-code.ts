import { type CodeCheck, type Decision, type EventInputs, refuse } from './events.ts';
import { ATTEMPT_TRIES, isBurnt, REGISTRATION_TRIES, type RegistrationFacts } from './facts.ts';
import type { Decide } from './machine.ts';

/** The user approves an open attempt. Doing so again shows the same code again. */
export const confirm: Decide<'confirm'> = (facts, { account }, { now }) => {
  if (account.email !== facts.email) return refuse('complete', 'wrong_account');
  const isConfirmed = facts.attempt?.confirmedAt !== undefined;
  return {
    outcome: { kind: 'confirmed' },
    effects: isConfirmed ? [] : [{ kind: 'confirm_attempt', at: now, userId: account.userId }],
  };
};

export const confirmLapsed: Decide<'confirm'> = submitToLapsed;

/** The user presses Deny on an open attempt (wire contract §5). */
export const deny: Decide<'deny'> = (facts, { account }, { now }) =>
  account.email === facts.email
    ? { outcome: { kind: 'denied' }, effects: [{ kind: 'deny_attempt', at: now }] }
    : refuse('complete', 'wrong_account');

/** Denying again has the same outcome, for the account that denied before. */
export const denyAgain: Decide<'deny'> = (facts, input) => {
  const deniedByOwner =
    facts.attempt?.deniedAt !== undefined && input.account.email === facts.email;
  return deniedByOwner
    ? { outcome: { kind: 'denied' }, effects: [] }
    : submitToLapsed(facts, input);
};

/** A code typed into an open attempt (wire contract §5). */
export const submit: Decide<'submit'> = (facts, { account, code }, { afterClaim, now }) => {
  if (account.email !== facts.email) return refuse('complete', 'wrong_account');
  if (code === 'right') {
    return {
      outcome: { kind: 'claimed' },
      effects: [{ kind: 'complete_claim', at: now, userId: account.userId }, ...afterClaim(facts)],
    };
  }
  return wrongCode('complete', facts, code);
};

/** A code that is not the one of the open attempt, and how many tries are left. */
export function wrongCode(
  surface: 'complete' | 'read_back',
  facts: RegistrationFacts,
  code: Exclude<CodeCheck, 'right'>,
): Decision {
  const counted = code === 'wrong' ? 1 : 0;
  const attempts_remaining = Math.min(
    ATTEMPT_TRIES - (facts.attempt?.wrongCodes ?? 0) - counted,
    REGISTRATION_TRIES - facts.wrongCodes - counted,
  );
  return {
    ...refuse(surface, 'invalid_user_code', { attempts_remaining }),
    effects: code === 'wrong' ? [{ kind: 'count_wrong_code' }] : [],
  };
}

/** A code typed into an attempt that has ended: even the right one is too late. */
export function submitToLapsed(
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
  { account }: Pick<EventInputs['submit'], 'account'>,
): Decision {
  return account.email === facts.email
    ? { outcome: { kind: 'claimed' }, effects: [] }
    : refuse('complete', 'already_claimed');
}
