/** The states of a registration, as mock and agent name them (wire.md §8). */
export const STATES = ['unclaimed', 'pending', 'lapsed', 'claimed', 'expired', 'revoked'] as const;

export type State = (typeof STATES)[number];

/**
 * What the specification calls each state ("States and transitions"). `null`: it shows none, as for what
 * comes when the outer claim window ends. An ID-JAG registration that needs no confirmation, its
 * "identity established", is `claimed` too.
 */
export const SPECIFICATION_STATES: Readonly<Record<State, string | null>> = {
  unclaimed: 'pre-claim',
  pending: 'claim attempt open',
  lapsed: 'claim attempt expired',
  claimed: 'claimed',
  expired: null,
  revoked: 'revoked',
};

/** That of a state's name as it came over the wire; `null` also for one that is none of ours. */
export function specificationState(state: string): string | null {
  return Object.hasOwn(SPECIFICATION_STATES, state) ? SPECIFICATION_STATES[state as State] : null;
}
