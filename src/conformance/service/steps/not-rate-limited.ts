import type { Answer } from '../../http/answer.ts';
import { limitedFor } from '../../target/when-allowed.ts';

/**
 * The answer itself.
 * @throws NeedsOption, CannotTest when it was refused for too many requests only.
 */
export function notLimited(answer: Answer): Answer {
  if (answer.status !== 429) return answer;
  throw limitedFor(answer, 'service');
}
