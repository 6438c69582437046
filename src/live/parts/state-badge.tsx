import type { State } from '../state/view-state.ts';
import { Icon } from './icon.tsx';

/** The state of a registration, by its word, its sign and its colour. */
export function StateBadge({ state }: { readonly state: State }) {
  return (
    <span class={`badge state-${state}`}>
      <Icon name={state} />
      {state}
    </span>
  );
}
