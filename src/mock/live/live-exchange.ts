import { exchangeJson } from '../../exchanges/exchange-json.ts';
import type { Explained } from '../../exchanges/explain/explained.ts';
import type { Finding } from '../../exchanges/finding.ts';
import type { LiveExchange } from './model.ts';

/** An exchange as the page is told it. */
export function liveExchange(explained: Explained, findings: readonly Finding[]): LiveExchange {
  const { exchange, from, meaning, section, state, step } = explained;
  return {
    ...(exchangeJson(exchange) as unknown as Omit<
      LiveExchange,
      'from' | 'step' | 'meaning' | 'section' | 'state' | 'findings'
    >),
    from,
    step,
    meaning,
    section,
    state: state ?? null,
    findings,
  };
}
