import type { LiveExchange } from '../../mock/live/model.ts';
import { isTrouble } from './tone.ts';

/** What a browser fetches beside the page itself (Fetch Metadata, §2.1). */
const BESIDE_A_PAGE: ReadonlySet<string> = new Set(['font', 'image', 'script', 'style']);

/** Whether it is a style sheet, a picture or the like for a page: no step of a flow, and nothing wrong with it. */
export function isPageFile(exchange: LiveExchange): boolean {
  const { request, step } = exchange;
  return (
    step === 'other' &&
    BESIDE_A_PAGE.has(request.headers['sec-fetch-dest'] ?? '') &&
    !isTrouble(exchange)
  );
}
