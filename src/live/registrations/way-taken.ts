import type { LiveRegistration } from '../../mock/live/model.ts';
import type { State } from '../state/view-state.ts';

/** The state that a registration is in after an entry of the audit trail; the others change none. */
export const LED_TO: Readonly<Record<string, State>> = {
  'claim.started': 'pending',
  'claim.denied': 'lapsed',
  'claim.completed': 'claimed',
  'account.linked': 'claimed',
  'registration.revoked': 'revoked',
};

/**
 * The states that a registration went through, oldest first. Time alone is not recorded: an attempt that
 * ended before the next one lapsed meanwhile, and where it is now is known.
 */
export function wayTaken({
  history,
  state,
  type,
}: Pick<LiveRegistration, 'history' | 'state' | 'type'>): readonly State[] {
  const way: State[] = [];
  const go = (to: State) => {
    if (way.at(-1) !== to) way.push(to);
  };
  if (type === 'anonymous') go('unclaimed');
  for (const { action } of history) {
    const to = LED_TO[action];
    // After a claim only a revocation leads on.
    if (to !== undefined && (way.at(-1) !== 'claimed' || to === 'revoked')) go(to);
  }
  go(state);
  return way;
}

/** The ways that were taken, as `from to`; of each pair of states one follows the other. */
export function takenWays(way: readonly State[]): ReadonlySet<string> {
  return new Set(way.slice(1).map((to, index) => `${way[index]} ${to}`));
}
