import { type WireProblem, wireProblem } from '../../mock/http/response.ts';
import type { Outcome } from './events.ts';

/**
 * The problem that a refusal of the claim machine is answered with.
 * @throws Error when the outcome is no refusal: the handler asked for another event's outcome.
 */
export function refusalProblem(outcome: Outcome): WireProblem {
  if (outcome.kind !== 'refused') throw new Error(`Unexpected outcome: ${outcome.kind}`);
  const { surface, code, members } = outcome;
  return wireProblem(surface, code as never, members && { members });
}
