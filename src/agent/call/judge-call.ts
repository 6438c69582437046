import { displayText } from '../../protocol/index.ts';
import { AgentError, type AgentErrorOptions, type Problem } from '../agent-error.ts';
import type { Registration } from '../model.ts';
import type { CallAnswer } from '../outcomes.ts';
import { readProblem } from '../problems/problem.ts';
import { AFTER_DENIAL, stateScopes, userOf, wasDenied } from '../records/registration-state.ts';

/**
 * Any answer but a 401 is the caller's, except a 403 `insufficient_scope`: the same token
 * is not tried again (RFC 6750 §3.1), and the claim is what would widen it.
 * @throws AgentError `insufficient_scope`.
 */
export function judgeCall(answer: CallAnswer, registration: Registration | undefined): CallAnswer {
  if (answer.status !== 403) return answer;
  const problem = problemOfCall(answer);
  if (problem?.code !== 'insufficient_scope') return answer;

  const needed =
    problem.scope === undefined
      ? 'another scope'
      : `the scope ${displayText(problem.scope.join(' '), 200)}`;
  const scopes = registration && (registration.token?.scopes ?? stateScopes(registration));
  const has = scopes ? ` The token has ${listed(scopes)}.` : '';
  const isDenied = registration !== undefined && wasDenied(registration);
  const denied = isDenied ? ' Its user denied the claim that could add scopes.' : '';
  throw new AgentError(`The call needs ${needed}.${has}${denied}`, {
    code: 'insufficient_scope',
    kind: 'refused',
    ...(isDenied ? AFTER_DENIAL : howToWiden(registration)),
    problem,
    answer,
  });
}

/** What widens the token: a claim, where the registration has one that is not complete. */
function howToWiden(
  registration: Registration | undefined,
): Pick<AgentErrorOptions, 'hint' | 'next'> {
  if (registration === undefined || registration.claimed || registration.claim === null) {
    return { hint: 'This registration cannot get that scope.' };
  }
  return {
    hint: 'A user who claims the registration can add scopes.',
    next: { command: 'claim', args: ['--email', userOf(registration) ?? 'EMAIL'] },
  };
}

/** The problem in the head of an answer; its body is the caller's. */
export function problemOfCall({ headers, status, url }: CallAnswer): Problem | undefined {
  const body = { ok: false, problem: 'empty' } as const;
  return readProblem({ where: url, status, headers, sentAt: 0, body }, 'resource');
}

function listed(scopes: readonly string[]): string {
  return scopes.length === 0 ? 'no scope' : scopes.join(' ');
}
