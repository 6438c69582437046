import { AgentError, type Problem } from '../agent-error.ts';
import { DIALECTS } from '../dialects/index.ts';
import type { Answer } from '../http/answer.ts';
import { sendPatiently } from '../http/send-patiently.ts';
import { requireEndpoint } from '../http/url-policy.ts';
import type { ClaimAttempt, OpenClaim, Service } from '../model.ts';
import { keepIfLost, readOrKeep } from '../records/keep-answer.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Claimable } from './poll-claim.ts';

type AttemptResult =
  | { readonly kind: 'attempt'; readonly attempt: ClaimAttempt }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Asks for a fresh attempt of a claim and judges the answer (wire contract §4). Stores nothing. */
export async function requestAttempt(
  tools: Tools,
  service: Service,
  { claim, id: registrationId }: Claimable,
  email: string,
  signal: AbortSignal | undefined,
): Promise<AttemptResult> {
  const peer = peerOf(tools, service.issuer);
  const request = DIALECTS[service.dialect].encodeClaimStart(
    claimUrl(tools, service, claim),
    claim.token,
    email,
  );
  // A second attempt only ends the first, so a lost answer does no harm.
  const patience = { signal, repeatAfterLoss: true };
  const { issuer, resource, name } = service;
  const origin = { issuer, resource, name, of: 'claim', registrationId, email } as const;
  const answer = await keepIfLost(tools, origin, () =>
    sendPatiently(tools.context, peer, request, patience),
  );
  return readOrKeep(tools, answer, origin, () => processClaimStart(service, answer, answer.sentAt));
}

/** Judges the claim endpoint's answer (wire contract §4). */
function processClaimStart(service: Service, answer: Answer, now: number): AttemptResult {
  const dialect = DIALECTS[service.dialect];
  const problem = dialect.readProblem(answer, 'claim', now);
  return problem === undefined
    ? { kind: 'attempt', attempt: dialect.decodeClaimStart(answer, now) }
    : { kind: 'problem', problem };
}

/** The registration's own `claim_url` goes before the metadata's endpoint; either is checked. */
function claimUrl(tools: Tools, service: Service, claim: OpenClaim): string {
  const endpoint = claim.url ?? service.claimEndpoint;
  if (endpoint === undefined) {
    throw new AgentError('The service names no claim endpoint.', {
      code: 'not_offered',
    });
  }
  return requireEndpoint(tools.policy, service.issuer, endpoint, 'The claim endpoint');
}
