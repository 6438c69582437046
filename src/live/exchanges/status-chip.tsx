import type { LiveExchange } from '../../mock/live/model.ts';
import { Icon } from '../parts/icon.tsx';
import { TONE_WORDS, toneOf } from './tone.ts';

/** How it was answered, by number, sign and colour. */
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
