import { AgentError, type Problem } from '../agent-error.ts';
import type { ClaimStart } from '../dialects/dialect.ts';
import { readClaimStart } from '../dialects/read-claim.ts';
import {
  type ClaimEvidence,
  type Claimer,
  type ClaimRequest,
  claimRequests,
} from '../dialects/requests.ts';
import { writtenIn } from '../dialects/written-in.ts';
import type { Answer } from '../http/answer.ts';
import { requireEndpoint } from '../http/url-policy.ts';
import type { ClaimForm, DialectId, OpenClaim, Service } from '../model.ts';
import { readProblem } from '../problems/problem.ts';
import { ask } from '../records/keep-answer.ts';
import type { Tools } from '../tools.ts';
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
): Promise<AttemptResult> {
  const { claim, dialect, id: registrationId, members } = claimable;
  const url = claimUrl(tools, service, claim);
  const evidence: ClaimEvidence = {
    form: claim.form,
    claimGrantType: service.claimGrantType,
    onRecord: isOnRecord(claimable, claimer),
  };
  const bodies = (more: Pick<ClaimEvidence, 'refusal'>) =>
    claimRequests(dialect, url, claim.token, claimer, { ...evidence, ...more });
  const email = claimer.by === 'email' ? claimer.email : null;
  const send = ({ form, ...request }: ClaimRequest): Promise<AttemptResult> =>
    ask(tools, service, {
      request,
      members,
      origin: { of: 'claim', registrationId, email },
      // A second attempt only ends the first, so a lost answer does no harm; an ID-JAG is sent once.
      again: email === null ? 'after_5xx' : 'after_loss',
      read: (answer) => processClaimStart(dialect, answer, form),
    });
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
  expected: DialectId,
  answer: Answer,
  form: ClaimForm | undefined,
): AttemptResult {
  const problem = readProblem(answer, 'claim');
  if (problem !== undefined) return { kind: 'problem', problem };
  const dialect = writtenIn(answer, [expected]);
  return { ...readClaimStart(dialect, answer), dialect, form };
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
