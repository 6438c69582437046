import type { State } from '../../protocol/states.ts';
import { isBurnt, type RegistrationFacts } from './facts.ts';

export { STATES, type State } from '../../protocol/states.ts';

/** The state at an instant (ms), in the precedence of wire contract §8. */
export function stateOf(facts: RegistrationFacts, now: number): State {
  if (facts.revokedAt !== undefined) return 'revoked';
  if (facts.claimedAt !== undefined || !facts.needsClaim) return 'claimed';
  if (now >= facts.windowEndsAt) return 'expired';
  const { attempt } = facts;
  if (attempt === undefined) return 'unclaimed';
  if (attempt.deniedAt !== undefined || isBurnt(facts, attempt)) return 'lapsed';
  return now >= attempt.expiresAt ? 'lapsed' : 'pending';
}
