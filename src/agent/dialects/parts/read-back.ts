import type { JsonObject } from '../../../protocol/index.ts';
import { requirePage } from '../../http/url-policy.ts';
import type { ReadBackAttempt } from '../../model.ts';

/** Members that name where a code is handed in; of no version, services that name the place write one of these. */
const SUBMIT_URLS = ['complete_url', 'complete_uri'] as const;

/** Where the code of an attempt is handed in, where its block names it. */
export function submitUrlIn(block: JsonObject): string | null {
  const url = SUBMIT_URLS.map((name) => block[name]).find((each) => typeof each === 'string');
  return typeof url === 'string' ? url : null;
}

/**
 * An attempt whose code its user reads to the agent.
 * @param page that shows the code; anything but text: it comes by mail.
 */
export function readBackAttempt(
  block: JsonObject,
  page: unknown,
  expiresAt: number,
): ReadBackAttempt {
  return {
    kind: 'read_back',
    verificationUri: typeof page === 'string' ? requirePage(page, 'The verification_uri') : null,
    submitUrl: submitUrlIn(block),
    expiresAt,
    ended: null,
  };
}
