import { wireCode } from '../../../protocol/index.ts';
import type { AgentSurface, Problem } from '../../agent-error.ts';
import type { Answer } from '../../http/answer.ts';
import { readProblem } from '../../problems/read-problem.ts';

/** What the `status` of a poll without a token means; earlier texts of version 0.6 answered so, with 200. */
const CODES: ReadonlyMap<unknown, string> = new Map([
  ['pending', 'authorization_pending'],
  ['initiated', 'authorization_pending'],
  ['denied', 'access_denied'],
  ['expired', 'expired_token'],
]);

/** The error of an answer; of the token endpoint also a success that says that there is no token yet. */
export function readFlatProblem(
  answer: Answer,
  surface: AgentSurface,
  now: number,
): Problem | undefined {
  const problem = readProblem(answer, surface, now);
  const { body, status } = answer;
  if (problem !== undefined || surface !== 'token' || !body.ok) return problem;
  const { access_token: token, status: sent } = body.json;
  const code = token === undefined ? CODES.get(sent) : undefined;
  const move = code && wireCode(surface, code)?.next;
  if (code === undefined || !move || typeof sent !== 'string' || status >= 300) return undefined;
  const nothing = { description: undefined, maxAge: undefined, scope: undefined };
  return { surface, code, sent, move, status, retryAfter: undefined, ...nothing };
}
