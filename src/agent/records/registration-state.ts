import type { Registration, RegistrationState } from '../model.ts';

/** The state by the stored facts, in the precedence of wire contract §8; the service may be further by now. */
export function registrationState(registration: Registration, now: number): RegistrationState {
  const { ended, claimed, claim } = registration;
  if (ended === 'revoked') return 'revoked';
  // Another ID-JAG leads to the same registration (wire contract §3), where it is minted here.
  const isMinted = registration.type === 'identity_assertion' && !registration.assertionGiven;
  if (claimed) return isSpent(registration, now) && !isMinted ? 'expired' : 'claimed';
  const isPast = claim === null ? isSpent(registration, now) : isOver(claim.expiresAt, now);
  if (ended === 'expired' || isPast) return 'expired';
  const attempt = claim?.attempt;
  if (!attempt) return 'unclaimed';
  return attempt.ended === null && now < attempt.expiresAt ? 'pending' : 'lapsed';
}

/** Whether all is over that it holds to make calls with, or to get that with. */
export function isSpent({ token, assertion, refresh }: Registration, now: number): boolean {
  const held = [token, assertion, refresh].flatMap((each) => each ?? []);
  return held.length > 0 && held.every(({ expiresAt }) => isOver(expiresAt, now));
}

/** Whether there may be something left of it. */
export function isLive(registration: Registration, now: number): boolean {
  const state = registrationState(registration, now);
  return state !== 'expired' && state !== 'revoked';
}

/** The user denied the last attempt: that user is not asked again by accident. */
export function wasDenied({ claim }: Pick<Registration, 'claim'>): boolean {
  return claim?.attempt?.ended === 'denied';
}

/** What follows a denial: a look at what there is. No step asks a user again who said no. */
export const AFTER_DENIAL = {
  hint: 'Ask nobody again. Only if the user says that it was a mistake, claim again: agent-auth claim --renew.',
  next: { command: 'status', args: [] },
} as const;

/** Whether an instant is reached; an end is exclusive (wire contract §0). An unknown end is never reached. */
export function isOver(instant: number | null | undefined, now: number): boolean {
  return instant !== null && instant !== undefined && now >= instant;
}

/** The scopes of a registration's state; `null`: the service did not say. */
export function stateScopes(registration: Registration): readonly string[] | null {
  return registration.claimed ? registration.postClaimScopes : registration.preClaimScopes;
}

/** Who is asked to take it over; else whom it belongs to. */
export function userOf({ email, claim }: Registration): string | null {
  return claim?.email ?? email;
}
