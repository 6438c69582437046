import { AgentError, type Problem } from '../agent-error.ts';
import { type Dialect, dialectOf, type TokenGrant } from '../dialects/index.ts';
import type { Answer } from '../http/answer.ts';
import { sendPatiently } from '../http/send-patiently.ts';
import type { IdentityAssertion, Registration, Service } from '../model.ts';
import { problemError } from '../problems/problem-error.ts';
import { saveRegistration } from '../records/in-use.ts';
import { keepIfLost, readOrKeep } from '../records/keep-answer.ts';
import { peerOf, type Tools } from '../tools.ts';

type ExchangeResult =
  | ({ readonly kind: 'token'; readonly registration: Registration } & TokenGrant)
  /** The assertion is expired, revoked or superseded. */
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Exchanges the identity assertion (RFC 7523) and stores the token.
 * @throws AgentError for anything but a token or `invalid_grant`.
 */
export async function exchange(
  tools: Tools,
  service: Service,
  registration: Registration,
  assertion: IdentityAssertion,
  signal?: AbortSignal,
): Promise<ExchangeResult> {
  const peer = peerOf(tools, service.issuer);
  const { tokenEndpoint } = service;
  if (tokenEndpoint === undefined) {
    throw new AgentError('The service names no token endpoint, so nothing can be exchanged.', {
      code: 'not_offered',
    });
  }
  const request = dialectOf(registration).encodeExchange(
    tokenEndpoint,
    service.resource,
    assertion.value,
  );
  // An assertion may be exchanged as often as it is good.
  const patience = { signal, repeatAfterLoss: true };
  const { issuer, resource, name } = service;
  const origin = { issuer, resource, name, of: 'token', registrationId: registration.id } as const;
  const answer = await keepIfLost(tools, origin, () =>
    sendPatiently(tools.context, peer, request, patience),
  );
  const result = await readOrKeep(tools, answer, origin, () =>
    processExchange(dialectOf(registration), answer, answer.sentAt),
  );
  if (result.kind === 'refused') return result;
  const { warnings } = result;
  // Left out, they are those that the completed claim gave (RFC 6749 §5.1).
  const known = registration.claimed ? registration.postClaimScopes : null;
  const token = { ...result.token, scopes: result.token.scopes ?? known };
  const saved = await saveRegistration(
    tools,
    registration,
    (stored) => ({
      ...stored,
      token,
      ended: null,
    }),
    ['token'],
  );
  return { kind: 'token', token, warnings, registration: saved };
}

/** Judges the token endpoint's answer (RFC 6749 §5). */
function processExchange(
  dialect: Dialect,
  answer: Answer,
  now: number,
):
  | ({ readonly kind: 'token' } & TokenGrant)
  | { readonly kind: 'refused'; readonly problem: Problem } {
  const problem = dialect.readProblem(answer, 'token', now);
  if (problem === undefined) return { kind: 'token', ...dialect.decodeExchange(answer, now) };
  if (problem.code === 'invalid_grant') return { kind: 'refused', problem };
  throw problemError(problem);
}
