import { AgentError } from '../agent-error.ts';
import type { ClaimGrant } from '../dialects/index.ts';
import { DIALECTS } from '../dialects/index.ts';
import type { Answer } from '../http/answer.ts';
import type { OpenClaim, Registration, Service } from '../model.ts';
import type { PollOutcome } from '../polling/next-poll.ts';
import { readPollProblem, troubleOfLoss } from '../polling/poll-problem.ts';
import { keepIfLost, readOrKeep } from '../records/keep-answer.ts';
import { peerOf, type Tools } from '../tools.ts';

/** A registration whose claim is open. */
export interface Claimable extends Pick<Registration, 'id'> {
  readonly claim: OpenClaim;
}

/** Sends one poll of the claim grant and judges the answer. */
export async function pollClaim(
  tools: Tools,
  service: Service,
  { claim, id: registrationId }: Claimable,
  signal?: AbortSignal,
): Promise<PollOutcome<ClaimGrant>> {
  const { claimGrantType } = service;
  if (claimGrantType === undefined) {
    throw new AgentError('The service lists no claim grant, so a claim cannot be collected.', {
      code: 'not_offered',
    });
  }
  const peer = peerOf(tools, service.issuer);
  const request = DIALECTS[service.dialect].encodeClaimPoll(service, claimGrantType, claim.token);
  const { issuer, resource, name } = service;
  const origin = { issuer, resource, name, of: 'claimed', registrationId } as const;
  let answer: Answer;
  try {
    answer = await keepIfLost(tools, origin, () => peer.send(request, signal));
  } catch (error) {
    // A later poll may get it again; what is kept is dropped then.
    return troubleOfLoss(error);
  }
  return readOrKeep(tools, answer, origin, () => processClaimPoll(service, answer, answer.sentAt));
}

/**
 * Judges the answer to a poll by its code alone (RFC 8628 §3.5, wire.md §6).
 * @throws AgentError for a code that ends the claim in no foreseen way (DEV-05), or an unusable answer.
 */
export function processClaimPoll(
  service: Service,
  answer: Answer,
  now: number,
): PollOutcome<ClaimGrant> {
  const dialect = DIALECTS[service.dialect];
  const problem = dialect.readProblem(answer, 'token', now);
  if (problem === undefined) return { kind: 'done', value: dialect.decodeClaimPoll(answer, now) };
  // Revoked, or delivered elsewhere (wire.md §8).
  if (problem.code === 'invalid_grant') return { kind: 'gone' };
  return readPollProblem(problem);
}
