import type { LiveExchange } from '../../mock/live/model.ts';

/** How an answer is to be taken, in words, for whoever does not see the colour. */
export const TONE_WORDS = {
  /** The answer did what was asked. */
  done: 'ok',
  /** The answer leads somewhere else. */
  elsewhere: 'redirect',
  /** The answer says that nothing is wrong, only not yet. */
  waits: 'not yet',
  /** The request was. */
  refused: 'refused',
  /** Whoever answers did, or did not answer. */
  failed: 'failed',
} as const;

/** The errors that a poll is to go on after (RFC 8628 §3.5). */
const WAITING: ReadonlySet<unknown> = new Set(['authorization_pending', 'slow_down']);

export function toneOf({ response: { body }, status }: LiveExchange): keyof typeof TONE_WORDS {
  if (status === null || status >= 500) return 'failed';
  const { error } = (body ?? {}) as { readonly error?: unknown };
  if (status >= 400) return WAITING.has(error) ? 'waits' : 'refused';
  return status >= 300 ? 'elsewhere' : 'done';
}

export function isTrouble(exchange: LiveExchange): boolean {
  return ['refused', 'failed'].includes(toneOf(exchange)) || exchange.findings.length > 0;
}

/** What a browser fetches beside the page itself (Fetch Metadata, §2.1). */
const BESIDE_A_PAGE: readonly (string | undefined)[] = ['font', 'image', 'script', 'style'];

/** Whether it is a style sheet, a picture or the like for a page: no step of a flow, and nothing wrong with it. */
export function isPageFile(exchange: LiveExchange): boolean {
  const { request, step } = exchange;
  const isBeside = BESIDE_A_PAGE.includes(request.headers['sec-fetch-dest']);
  return step === 'other' && isBeside && !isTrouble(exchange);
}
