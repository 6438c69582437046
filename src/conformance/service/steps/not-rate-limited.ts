import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';

/** The answer itself. @throws CannotTest when it only tells that there were too many requests. */
export function notLimited(answer: Answer): Answer {
  if (answer.status !== 429) return answer;
  throw new CannotTest('The service limits the rate (429): what it refuses proves nothing.');
}
