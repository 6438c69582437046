import { AgentError, type Problem } from '../agent-error.ts';
import {
  type ClaimEvidence,
  type Claimer,
  type ClaimRequest,
  type ClaimStart,
  dialectOf,
  writtenIn,
} from '../dialects/index.ts';
import type { Answer } from '../http/answer.ts';
import { sendPatiently } from '../http/send-patiently.ts';
import { requireEndpoint } from '../http/url-policy.ts';
import type { ClaimForm, DialectId, OpenClaim, Service } from '../model.ts';
import { keepIfLost, readOrKeep } from '../records/keep-answer.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Claimable } from './poll-claim.ts';

export type AttemptResult =
  | (ClaimStart & { readonly dialect: DialectId; readonly form: ClaimForm | undefined })
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
  const evidence: ClaimEvidence = {
    form: claim.form,
    claimGrantType: service.claimGrantType,
    onRecord: isOnRecord(claimable, claimer),
  };
  const bodies = (more: Pick<ClaimEvidence, 'refusal'>) =>
    dialectOf(claimable).encodeClaimStart(url, claim.token, claimer, { ...evidence, ...more });
  // A second attempt only ends the first, so a lost answer does no harm; an ID-JAG is sent once.
  const patience = { signal, repeatAfterLoss: claimer.by === 'email' };
  const { issuer, resource, name } = service;
  const email = claimer.by === 'email' ? claimer.email : null;
  const origin = { issuer, resource, name, of: 'claim', registrationId, email } as const;
  const send = async ({ form, ...request }: ClaimRequest): Promise<AttemptResult> => {
    const answer = await keepIfLost(tools, origin, () =>
      sendPatiently(tools.context, peer, request, patience),
    );
    return readOrKeep(tools, answer, origin, () =>
      processClaimStart(claimable, answer, answer.sentAt, form),
    );
  };
  const [first] = bodies({});
  const result = await send(first);
  if (result.kind !== 'problem' || result.problem.code !== 'invalid_request') return result;
  // Another body is tried once, where this one was not understood: no document says which a service takes.
  const [, second] = bodies({ refusal: result.problem });
  return second === undefined ? result : send(second);
}

/** Whether the service knows the email address: it was registered with it, or an attempt has named it. */
function isOnRecord({ type, email, claim }: Claimable, claimer: Claimer): boolean {
  if (claimer.by !== 'email') return false;
  const registered = type !== 'anonymous' && email === claimer.email;
  return registered || (claim.attempt !== null && claim.email === claimer.email);
}

/** Judges the claim endpoint's answer (wire contract §4). */
function processClaimStart(
  { dialect: expected }: Claimable,
  answer: Answer,
  now: number,
  form: ClaimForm | undefined,
): AttemptResult {
  const dialect = writtenIn(answer, [expected]);
  const problem = dialect.readProblem(answer, 'claim', now);
  return problem === undefined
    ? { ...dialect.decodeClaimStart(answer, now), dialect: dialect.id, form }
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
