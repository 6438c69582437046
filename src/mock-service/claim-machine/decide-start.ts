import { refuse } from './events.ts';
import { REGISTRATION_TRIES } from './facts.ts';
import type { Decide } from './machine.ts';

/** Opens a claim attempt; the one before ends with it (wire contract §4). */
export const openAttempt: Decide<'start'> = (
  facts,
  { email = facts.email, attempt },
  { now, lifetimes },
) => {
  if (facts.wrongCodes >= REGISTRATION_TRIES) return refuse('claim', 'too_many_attempts');
  if (email === undefined) return refuse('claim', 'invalid_request');
  // Only an anonymous registration may still correct its email: the others were created for one.
  if (facts.type !== 'anonymous' && email !== facts.email) return refuse('claim', 'email_mismatch');
  const expiresAt = Math.min(now + lifetimes.userCode, facts.windowEndsAt);
  const { interval } = lifetimes;
  return {
    outcome: { kind: 'attempt_opened', expiresAt, interval },
    effects: [
      ...(email === facts.email ? [] : [{ kind: 'record_email', email } as const]),
      { kind: 'open_attempt', attempt, expiresAt, interval },
    ],
  };
};
