/** The states of a registration, as mock and agent name them (wire contract §8). */
export const STATES = ['unclaimed', 'pending', 'lapsed', 'claimed', 'expired', 'revoked'] as const;

/** The state of a registration: one of {@link STATES}. */
export type State = (typeof STATES)[number];

/**
 * What the specification calls each state ("States and transitions"). `null`: it shows none, as for what
 * comes when the outer claim window ends. That of an ID-JAG registration differs: {@link specificationState}.
 */
export const SPECIFICATION_STATES: Readonly<Record<State, string | null>> = {
  unclaimed: 'pre-claim',
  pending: 'claim attempt open',
  lapsed: 'claim attempt expired',
  claimed: 'claimed',
  expired: null,
  revoked: 'revoked',
};

/**
 * The specification's name for the state of a registration of that type; `null` also for a state that is
 * none of {@link STATES}. A verified ID-JAG gives "identity established", not "claimed".
 */
export function specificationState(state: string, type: string): string | null {
  if (state === 'claimed' && type === 'identity_assertion') return 'identity established';
  return Object.hasOwn(SPECIFICATION_STATES, state) ? SPECIFICATION_STATES[state as State] : null;
}
