import { AgentError, type Problem } from '../agent-error.ts';
import type { TokenGrant } from '../dialects/dialect.ts';
import { readExchange } from '../dialects/read-exchange.ts';
import { exchangeRequest } from '../dialects/requests.ts';
import type { Answer } from '../http/answer.ts';
import type { IdentityAssertion, Registration, Service } from '../model.ts';
import { problemError } from '../problems/problem-error.ts';
import { readProblem } from '../problems/read-problem.ts';
import { saveRegistration } from '../records/in-use.ts';
import { ask } from '../records/keep-answer.ts';
import type { Tools } from '../tools.ts';

export type Exchanged = {
  readonly kind: 'token';
  readonly registration: Registration;
} & TokenGrant;

/** The assertion is expired, revoked or superseded. */
interface Refused {
  readonly kind: 'refused';
  readonly problem: Problem;
}

/**
 * Exchanges the identity assertion (RFC 7523) and stores the token.
 * @throws AgentError for anything but a token or `invalid_grant`.
 */
export async function exchange(
  tools: Tools,
  service: Service,
  registration: Registration,
  assertion: IdentityAssertion,
): Promise<Exchanged | Refused> {
  const { tokenEndpoint } = service;
  if (tokenEndpoint === undefined) {
    throw new AgentError('The service names no token endpoint, so nothing can be exchanged.', {
      code: 'not_offered',
    });
  }
  const { id: registrationId, members } = registration;
  const result = await ask(tools, service, {
    request: exchangeRequest(tokenEndpoint, service.resource, assertion.value),
    members,
    origin: { of: 'token', registrationId },
    // An assertion may be exchanged as often as it is good.
    again: 'after_loss',
    read: processExchange,
  });
  if (result.kind === 'refused') return result;
  const { warnings } = result;
  // Left out, they are those that the completed claim gave (RFC 6749 §5.1).
  const known = registration.claimed ? registration.postClaimScopes : null;
  const token = { ...result.token, scopes: result.token.scopes ?? known };
  const saved = await saveRegistration(
    tools,
    registration,
    (stored) => ({ ...stored, token, ended: null }),
    ['token'],
  );
  return { kind: 'token', token, warnings, registration: saved };
}

/** Judges the token endpoint's answer (RFC 6749 §5). */
function processExchange(answer: Answer): ({ readonly kind: 'token' } & TokenGrant) | Refused {
  const problem = readProblem(answer, 'token', answer.sentAt);
  if (problem === undefined) return { kind: 'token', ...readExchange(answer) };
  if (problem.code === 'invalid_grant') return { kind: 'refused', problem };
  throw problemError(problem);
}

/**
 * The first token after a registration or a claim, which is made and stored: whoever reads the error must not make
 * it again. A fresh assertion that is refused is the service's contradiction, not the end of the registration.
 * @param done what was made, as a sentence begins: `Registered as reg_1`.
 */
export async function firstToken(
  tools: Tools,
  service: Service,
  registration: Registration,
  assertion: IdentityAssertion,
  { done, again }: { readonly done: string; readonly again: 'register' | 'claim' },
): Promise<Exchanged> {
  try {
    const result = await exchange(tools, service, registration, assertion);
    if (result.kind === 'token') return result;
    throw problemError(result.problem);
  } catch (error) {
    if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
    // What came is kept then: the same request gets the same, and only replaces it.
    const isKept = error.next?.command === 'status';
    const what = isKept ? 'its token cannot be used' : 'without a token';
    throw error.with({
      message: `${done}, and stored, but ${what}: ${error.message}`,
      hint: `Do not ${again} again${isKept ? '' : '; ask for the token'}.`,
      next: { command: isKept ? 'status' : 'token', args: [] },
      cause: error,
    });
  }
}
