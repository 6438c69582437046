import { recogniseAnswer } from '../../discovery/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';

/**
 * An answer that gives nothing although it has the members: a word that everybody gets, of a site without a
 * service behind it, opens nothing. @throws AgentError `bad_answer` with the reason.
 */
export function requireGrant(answer: Answer): void {
  const { body, status } = answer;
  const nothing = body.ok ? recogniseAnswer(body.json, status).nothing : undefined;
  if (nothing === undefined) return;
  throw new AgentError(`The identity endpoint (${answer.where}) gave nothing to use. ${nothing}`, {
    code: 'bad_answer',
  });
}
