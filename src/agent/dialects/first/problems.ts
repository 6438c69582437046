import { wireCode } from '../../../protocol/index.ts';
import type { AgentSurface, Problem } from '../../agent-error.ts';
import type { Answer } from '../../http/answer.ts';
import { readProblem } from '../../problems/read-problem.ts';

/** The first versions' codes, and those that their documents promise, under the names of the list of codes. */
const NAMES: Partial<Readonly<Record<AgentSurface, Readonly<Record<string, string>>>>> = {
  identity: {
    audience_mismatch: 'invalid_audience',
    credential_expired: 'expired',
    issuer_not_enabled: 'invalid_issuer',
    verified_email_not_enabled: 'service_auth_not_enabled',
  },
  claim: {
    previously_claimed: 'claimed_or_in_flight',
    claim_completed: 'claimed_or_in_flight',
  },
  read_back: {
    otp_invalid: 'invalid_user_code',
    otp_not_generated: 'claim_not_confirmed',
    otp_expired: 'claim_attempt_expired',
    claim_superseded: 'claim_attempt_expired',
    previously_claimed: 'already_claimed',
    claim_completed: 'already_claimed',
  },
};

/** The error of an answer, under the name that all dialects share; the service's own word stays beside it. */
export function readFirstProblem(
  answer: Answer,
  surface: AgentSurface,
  now: number,
): Problem | undefined {
  const problem = readProblem(answer, surface, now);
  const code = problem?.code === undefined ? undefined : NAMES[surface]?.[problem.code];
  if (problem === undefined || code === undefined) return problem;
  return { ...problem, code, move: wireCode(surface, code)?.next ?? problem.move };
}
