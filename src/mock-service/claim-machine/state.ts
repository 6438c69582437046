import { isBurnt, type RegistrationFacts } from './facts.ts';

export const STATES = ['unclaimed', 'pending', 'lapsed', 'claimed', 'expired', 'revoked'] as const;

/**
 * The specification's states: `unclaimed` is its "pre-claim", `pending` its "claim attempt open",
 * `lapsed` its "claim attempt expired".
 */
export type State = (typeof STATES)[number];

/** The state at an instant (ms), in the precedence of wire.md §8. */
export function stateOf(facts: RegistrationFacts, now: number): State {
  if (facts.revokedAt !== undefined) return 'revoked';
  if (facts.claimedAt !== undefined || !facts.needsClaim) return 'claimed';
  if (now >= facts.windowEndsAt) return 'expired';
  const { attempt } = facts;
  if (attempt === undefined) return 'unclaimed';
  if (attempt.deniedAt !== undefined || isBurnt(facts, attempt)) return 'lapsed';
  return now >= attempt.expiresAt ? 'lapsed' : 'pending';
}
