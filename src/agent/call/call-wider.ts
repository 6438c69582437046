import { accessOf, renewAccess } from '../cross-app/get-access.ts';
import { discard } from '../http/peer.ts';
import type { AccessToken, Registration } from '../model.ts';
import type { CallAnswer } from '../outcomes.ts';
import type { InUse, TokenCandidate } from '../records/in-use.ts';
import type { Tools } from '../tools.ts';
import { judgeCall, problemOfCall } from './judge-call.ts';

/** Calls with tokens that were asked to allow more, the first included (MCP: a few tries at most). */
const TRIES = 3;

interface Refused {
  /** A 403. */
  readonly answer: CallAnswer;
  readonly candidate: TokenCandidate;
  readonly again: (token: AccessToken) => Promise<CallAnswer>;
}

/**
 * The same call with the scopes that its refusal names beside those of before.
 * @throws AgentError `insufficient_scope` where that does not help.
 */
export async function callWider(
  tools: Tools,
  inUse: InUse,
  { again, answer: first, candidate: before }: Refused,
): Promise<CallAnswer> {
  let answer = first;
  let candidate = before;
  for (let tries = 1; tries < TRIES && answer.status === 403; tries += 1) {
    const wider = await widenAccess(tools, inUse, candidate.registration, answer);
    if (wider === undefined) break;
    discard(answer.response);
    candidate = wider;
    const warnings = [...answer.warnings, ...wider.warnings];
    answer = { ...(await again(wider.token)), warnings };
  }
  return judgeCall(answer, candidate.registration);
}

/**
 * A token with what the call asks for beside what there is (MCP, scope challenge).
 * @returns `undefined` where the answer asks for no scope that another token could have.
 */
async function widenAccess(
  tools: Tools,
  inUse: InUse,
  registration: Registration,
  answer: CallAnswer,
): Promise<TokenCandidate | undefined> {
  const problem = problemOfCall(answer);
  if (problem?.code !== 'insufficient_scope' || problem.scope === undefined) return undefined;
  const { scopes } = accessOf(registration);
  const union = [...new Set([...(registration.token?.scopes ?? []), ...scopes, ...problem.scope])];
  const granted = await renewAccess(tools, { ...inUse, registration }, union);
  const has = granted.token.scopes;
  const isEnough = has === null || problem.scope.every((scope) => has.includes(scope));
  return isEnough ? { ...granted, fresh: true } : undefined;
}
