import { type Decision, type EventInputs, refuse } from './events.ts';
import { REGISTRATION_TRIES, type RegistrationFacts } from './facts.ts';
import type { Moment } from './matrix.ts';

/** Opens an attempt in place of one that is over, unless it is to stay so. */
export function reopenLapsed(
  facts: RegistrationFacts,
  input: EventInputs['start'],
  moment: Moment,
): Decision {
  if (moment.faults.has('lapsedForGood')) return refuse('claim', 'claim_expired');
  return openAttempt(facts, input, moment);
}

/** Opens a claim attempt; the one before ends with it (wire.md §4). */
export function openAttempt(
  facts: RegistrationFacts,
  { email: given, attempt }: EventInputs['start'],
  { now, lifetimes, faults }: Moment,
): Decision {
  const forgives = faults.has('newAttemptForgives');
  if (facts.wrongCodes >= REGISTRATION_TRIES && !forgives)
    return refuse('claim', 'too_many_attempts');
  const open = facts.attempt !== undefined && now < facts.attempt.expiresAt;
  if (open && faults.has('openNotReplaced')) return refuse('claim', 'claimed_or_in_flight');
  const email = given ?? (faults.has('emailNeverRemembered') ? undefined : facts.email);
  if (email === undefined) return refuse('claim', 'invalid_request');
  // Only an anonymous registration may still correct its address: the others were made for one.
  const fixed =
    facts.type === 'anonymous'
      ? faults.has('emailNeverCorrected') && facts.email !== undefined
      : !faults.has('anyEmailReopens');
  if (fixed && email !== facts.email) return refuse('claim', 'email_mismatch');
  const expiresAt = Math.min(now + lifetimes.userCode, facts.windowEndsAt);
  const { interval } = lifetimes;
  const storedEnd = faults.has('attemptEndsEarly') ? now + (expiresAt - now) / 2 : expiresAt;
  const kept = open && faults.has('oldAttemptLives');
  return {
    outcome: { kind: 'attempt_opened', expiresAt, interval },
    effects: [
      ...(email === facts.email ? [] : [{ kind: 'record_email', email } as const]),
      ...(kept
        ? []
        : [
            {
              kind: 'open_attempt',
              attempt,
              expiresAt: Math.floor(storedEnd),
              interval,
              forgives,
            } as const,
          ]),
    ],
  };
}

/** Nobody can be asked again for what somebody has. */
export function startClaimed(
  facts: RegistrationFacts,
  input: EventInputs['start'],
  moment: Moment,
): Decision {
  if (moment.faults.has('claimedReopens')) return openAttempt(facts, input, moment);
  return refuse('claim', 'claimed_or_in_flight');
}

/** Nothing leads out of revoked (wire.md §5). */
export function startRevoked(
  facts: RegistrationFacts,
  input: EventInputs['start'],
  moment: Moment,
): Decision {
  if (moment.faults.has('revokedReopens')) return openAttempt(facts, input, moment);
  return refuse('claim', 'claim_expired');
}
