import type { LiveExchange } from '../../mock/live/model.ts';
import type { State } from '../state/view-state.ts';
import { Icon } from './icon.tsx';
import { TONE_WORDS, toneOf } from './tone.ts';

/** The state of a registration, by its word, its sign and its colour. */
export function StateBadge({ state }: { readonly state: State }) {
  return (
    <span class={`badge state-${state}`}>
      <Icon name={state} />
      {state}
    </span>
  );
}

/** How an exchange was answered, by number, sign and colour. */
export function StatusChip({ exchange }: { readonly exchange: LiveExchange }) {
  const tone = toneOf(exchange);
  return (
    <span class={`status tone-${tone}`}>
      <Icon name={tone} />
      {exchange.status ?? 'no answer'}
      <span class="aside"> {TONE_WORDS[tone]}</span>
    </span>
  );
}
