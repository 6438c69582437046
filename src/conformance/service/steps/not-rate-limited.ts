import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';

/** The answer itself. @throws CannotTest when it was refused for too many requests only. */
export function notLimited(answer: Answer): Answer {
  if (answer.status !== 429) return answer;
  throw new CannotTest(
    'The service limits the rate (429), so what it refuses proves nothing: lift its limits for this run.',
  );
}
