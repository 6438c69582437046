import type { LiveExchange } from '../../mock/live/model.ts';

/**
 * How an answer is to be taken:
 * - `done`: it did what was asked
 * - `elsewhere`: it leads somewhere else
 * - `waits`: nothing is wrong, only not yet
 * - `refused`: the request was
 * - `failed`: whoever answers did, or did not answer
 */
export type Tone = 'done' | 'elsewhere' | 'waits' | 'refused' | 'failed';

/** The errors that a poll is to go on after (RFC 8628 §3.5). */
const WAITING: ReadonlySet<unknown> = new Set(['authorization_pending', 'slow_down']);

export function toneOf({ response, status }: Pick<LiveExchange, 'response' | 'status'>): Tone {
  if (status === null || status >= 500) return 'failed';
  if (status >= 400) return WAITING.has(errorOf(response.body)) ? 'waits' : 'refused';
  return status >= 300 ? 'elsewhere' : 'done';
}

/** In words, for whoever does not see the colour. */
export const TONE_WORDS: Readonly<Record<Tone, string>> = {
  done: 'ok',
  elsewhere: 'redirect',
  waits: 'not yet',
  refused: 'refused',
  failed: 'failed',
};

export function isTrouble(exchange: LiveExchange): boolean {
  const tone = toneOf(exchange);
  return tone === 'refused' || tone === 'failed' || exchange.findings.length > 0;
}

function errorOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
}
