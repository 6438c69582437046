import { recogniseAnswer } from '../../discovery/index.ts';
import { isJsonObject } from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import type { IdentityProof, RegistrationGrant } from '../dialects/dialect.ts';
import { type IdJagUser, idJagUser } from '../dialects/id-jag-user.ts';
import { inHeaderOf } from '../dialects/read-credential.ts';
import { readRegistration } from '../dialects/read-registration.ts';
import { identityRequest } from '../dialects/requests.ts';
import { writtenIn } from '../dialects/written-in.ts';
import type { Answer } from '../http/answer.ts';
import { requireEndpoint, type UrlPolicy } from '../http/url-policy.ts';
import type { DialectId, Service } from '../model.ts';
import { readProblem, wordsBeside } from '../problems/problem.ts';
import { ask } from '../records/keep-answer.ts';
import type { Tools } from '../tools.ts';

/** What was given, and the dialect that the answer is written in. */
export interface Granted {
  readonly grant: RegistrationGrant;
  readonly dialect: DialectId;
}

/** What the identity endpoint's answer amounts to (wire contract §3). */
export type IdentityResult =
  | ({ readonly kind: 'registered' | 'interaction_required' } & Granted)
  | { readonly kind: 'login_required'; readonly maxAge: number | undefined }
  /** The ID-JAG cannot be used again; a fresh one may do. */
  | { readonly kind: 'mint_again'; readonly problem: Problem }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Posts to the identity endpoint and judges the answer.
 * @throws AgentError `unreachable` or `broken_off` after the last try; for an ID-JAG after the first,
 *   because the service may have taken it.
 * @param isLast nothing is tried after this: the beginning of an answer that was lost is kept.
 */
export function sendIdentity(
  tools: Tools,
  service: Service,
  proof: IdentityProof,
  isLast = true,
): Promise<IdentityResult> {
  const { type } = proof;
  return ask(tools, service, {
    request: identityRequest(service.candidates[0], service, proof, tools.name),
    members: tools.members,
    origin: { of: 'registration', type, ...userOf(proof) },
    again: type === 'identity_assertion' ? 'after_5xx' : 'after_loss',
    isTriedAgain: !isLast,
    read: (answer) => processIdentity(tools.policy, service, proof, answer),
    isRefusal: ({ kind }) => kind !== 'registered' && kind !== 'interaction_required',
  });
}

function userOf(proof: IdentityProof): Partial<IdJagUser> {
  switch (proof.type) {
    case 'anonymous':
      return {};
    case 'service_auth':
      return { email: proof.loginHint };
    case 'identity_assertion':
      return idJagUser(proof.assertion);
  }
}

/** Judges an answer by its code, whatever the status. @throws AgentError when it cannot be used. */
function processIdentity(
  policy: UrlPolicy,
  service: Service,
  proof: IdentityProof,
  answer: Answer,
): IdentityResult {
  const granted = () => {
    const dialect = writtenIn(answer, service.candidates);
    const grant = readRegistration(dialect, answer, proof);
    const token = inHeaderOf(service, grant.token);
    return { grant: { ...checkClaimUrls(policy, service, grant), token }, dialect };
  };
  const problem = readProblem(answer, 'identity');
  if (problem === undefined) {
    const result = granted();
    requireGrant(answer);
    return { kind: 'registered', ...result };
  }
  if (problem.move === 'confirm' && proof.type === 'identity_assertion') {
    return { kind: 'interaction_required', ...granted() };
  }
  if (problem.move === 'sign_in') return { kind: 'login_required', maxAge: problem.maxAge };
  if (problem.move === 'mint') return { kind: 'mint_again', problem };
  if (asksForWork(answer, problem)) {
    throw new AgentError(
      `The service asks for a proof of work before it registers, which this agent does not do.${wordsBeside(problem, '')}`,
      { code: 'not_offered', hint: 'Ask the service for another way to register.', problem },
    );
  }
  return { kind: 'refused', problem };
}

/** A word that everybody gets, of a site without a service behind it, opens nothing. @throws AgentError `bad_answer`. */
function requireGrant({ body, status, where }: Answer): void {
  const nothing = body.ok ? recogniseAnswer(body.json, status).nothing : undefined;
  if (nothing === undefined) return;
  throw new AgentError(`The identity endpoint (${where}) gave nothing to use. ${nothing}`, {
    code: 'bad_answer',
  });
}

/** Services that want work were only ever described: a challenge in the refusal, or a code that says so. */
function asksForWork({ body }: Answer, { description, sent }: Problem): boolean {
  if (/proof.?of.?work|\bpow[_ -]/i.test(`${sent} ${description}`)) return true;
  if (!body.ok) return false;
  const { challenge, error } = body.json;
  return isJsonObject(challenge) || (isJsonObject(error) && isJsonObject(error['challenge']));
}

/** The claim token will be posted there: with a URL elsewhere, the whole answer is refused. */
function checkClaimUrls(
  policy: UrlPolicy,
  service: Service,
  grant: RegistrationGrant,
): RegistrationGrant {
  if (!grant.claim?.url) return grant;
  try {
    const url = requireEndpoint(policy, service.issuer, grant.claim.url, WHERE_TO_CLAIM);
    return { ...grant, claim: { ...grant.claim, url } };
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'metadata_invalid') throw error;
    // The error's own message quotes the URL, which may hold anything, a token too.
    throw new AgentError(`${WHERE_TO_CLAIM} is not a URL that can be used.`, {
      code: 'metadata_invalid',
    });
  }
}

const WHERE_TO_CLAIM = 'The claim_url of the answer';
