import { type JsonObject, MINUTE } from '../../../protocol/index.ts';
import type { Answer } from '../../http/answer.ts';
import type { ClaimAttempt } from '../../model.ts';
import { typeThereAttempt } from '../parts/claim-answer.ts';
import { readBackAttempt } from '../parts/read-back.ts';
import { readTime } from '../parts/read-time.ts';

/** As long as the reference keeps the link of a claim page. */
const DEFAULT_WINDOW = 10 * MINUTE;

/**
 * One attempt. The direction is that of its members, never that of a version: a code that the answer shows is
 * for the user to type; else the page shows it, or without a page the mail.
 */
export function readAttempt(
  answer: Answer,
  who: string,
  block: JsonObject,
  now: number,
): ClaimAttempt {
  const expiresAt = endOf(answer, who, block, now);
  const typed = typeThereAttempt(answer, who, block, now, expiresAt);
  return typed ?? readBackAttempt(block, block['verification_uri'], expiresAt);
}

/** The attempt is new, so an end in the past comes from a clock that is wrong: the default counts. */
function endOf(answer: Answer, who: string, block: JsonObject, now: number): number {
  const { expires_at: at, expires_in: span } = block;
  const end =
    readTime(answer, who, { name: 'expires_at', value: at }, now) ??
    readTime(answer, who, { name: 'expires_in', value: span }, now);
  return end === null || end <= now ? now + DEFAULT_WINDOW : end;
}
