import { DAY, type JsonObject } from '../../../protocol/index.ts';
import type { Answer } from '../../http/answer.ts';
import type { ClaimAttempt } from '../../model.ts';
import { typeThereAttempt } from '../parts/claim-answer.ts';
import { readBackAttempt } from '../parts/read-back.ts';
import { readTime } from '../parts/read-time.ts';

/** How long a mailed code is waited for where nothing says it: as long as the reference keeps a claim open. */
const MAIL_WINDOW = DAY;

/**
 * An attempt, by its claim block alone: a code of the agent's own is typed on the page; without one the page
 * shows the code; without a page it comes by mail.
 * @param otherwise when it ends, where the block does not say.
 */
export function readAttempt(
  answer: Answer,
  who: string,
  block: JsonObject,
  now: number,
  otherwise: number | null,
): ClaimAttempt {
  const end = endOf(answer, who, block, now);
  const typed = typeThereAttempt(answer, who, block, now, end);
  const expiresAt = end ?? otherwise ?? now + MAIL_WINDOW;
  return typed ?? readBackAttempt(block, block['verification_uri'], expiresAt);
}

function endOf(answer: Answer, who: string, block: JsonObject, now: number): number | null {
  const name = ['expires_in', 'expires_at'].find((each) => block[each] !== undefined);
  return name === undefined ? null : readTime(answer, who, { name, value: block[name] }, now);
}
