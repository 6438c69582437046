import { AgentError, type Problem } from '../agent-error.ts';
import { type Claimer, type ClaimStart, dialectOf, writtenIn } from '../dialects/index.ts';
import type { Answer } from '../http/answer.ts';
import type { WireRequest } from '../http/peer.ts';
import { sendPatiently } from '../http/send-patiently.ts';
import { requireEndpoint } from '../http/url-policy.ts';
import type { DialectId, OpenClaim, Service } from '../model.ts';
import { keepIfLost, readOrKeep } from '../records/keep-answer.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Claimable } from './poll-claim.ts';

type AttemptResult =
  | (ClaimStart & { readonly dialect: DialectId })
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Asks for a fresh attempt of a claim and judges the answer (wire contract §4). Stores nothing. */
export async function requestAttempt(
  tools: Tools,
  service: Service,
  claimable: Claimable,
  claimer: Claimer,
  signal: AbortSignal | undefined,
): Promise<AttemptResult> {
  const { claim, id: registrationId } = claimable;
  const peer = peerOf(tools, service.issuer);
  const url = claimUrl(tools, service, claim);
  const [request, other] = dialectOf(claimable).encodeClaimStart(url, claim.token, claimer);
  // A second attempt only ends the first, so a lost answer does no harm.
  const patience = { signal, repeatAfterLoss: true };
  const { issuer, resource, name } = service;
  const email = claimer.by === 'email' ? claimer.email : null;
  const origin = { issuer, resource, name, of: 'claim', registrationId, email } as const;
  const send = async (body: WireRequest): Promise<AttemptResult> => {
    const answer = await keepIfLost(tools, origin, () =>
      sendPatiently(tools.context, peer, body, patience),
    );
    return readOrKeep(tools, answer, origin, () =>
      processClaimStart(claimable, answer, answer.sentAt),
    );
  };
  const result = await send(request);
  // A body of another family is tried once, where this one was not understood (dialects do not say which).
  const isOther = result.kind === 'problem' && result.problem.code === 'invalid_request';
  return isOther && other !== undefined ? send(other) : result;
}

/** Judges the claim endpoint's answer (wire contract §4). */
function processClaimStart(
  { dialect: expected }: Claimable,
  answer: Answer,
  now: number,
): AttemptResult {
  const dialect = writtenIn(answer, [expected]);
  const problem = dialect.readProblem(answer, 'claim', now);
  return problem === undefined
    ? { ...dialect.decodeClaimStart(answer, now), dialect: dialect.id }
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
