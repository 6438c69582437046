import { AgentError, type Problem } from '../agent-error.ts';
import type { TokenGrant } from '../dialects/dialect.ts';
import { readRefreshed } from '../dialects/read-claim.ts';
import { readExchange } from '../dialects/read-credential.ts';
import type { Identity } from '../dialects/reading.ts';
import { exchangeRequest, refreshRequest } from '../dialects/requests.ts';
import type { Answer } from '../http/answer.ts';
import { isLoss, mayHaveArrived } from '../http/send-patiently.ts';
import type { IdentityAssertion, RefreshToken, Registration } from '../model.ts';
import { problemError, readProblem } from '../problems/problem.ts';
import type { AtService } from '../records/at-service.ts';
import { reload, saveRegistration } from '../records/in-use.ts';
import { ask } from '../records/keep-answer.ts';
import { isOver } from '../records/registration-state.ts';
import { notRegistered } from '../records/select-service.ts';
import { peerOf } from '../tools.ts';

type Exchanged = {
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
  { tools, service, registration }: AtService,
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
  const problem = readProblem(answer, 'token');
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
  at: AtService,
  assertion: IdentityAssertion,
  { done, again }: { readonly done: string; readonly again: 'register' | 'claim' },
): Promise<Exchanged> {
  try {
    const result = await exchange(at, assertion);
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

/** The service takes neither refresh token nor assertion. */
interface NotRenewed extends Refused {
  readonly registration: Registration;
}

/** Whether there is a refresh token that may still be good. */
export function canRefresh({ refresh }: Registration, now: number): boolean {
  return refresh !== undefined && refresh !== null && !isOver(refresh.expiresAt, now);
}

/**
 * A new assertion by the refresh token, and a token by that. `undefined`: there is no refresh token. Each is sent
 * once, by one process, and the next one is stored before anything else is done (RFC 9700 §4.14.2: a second use of
 * it may end them all).
 * @throws AgentError where the answer does not tell whether the refresh token is good.
 */
export async function renewByRefresh(at: AtService): Promise<Exchanged | NotRenewed | undefined> {
  const { tools, service, registration } = at;
  if (!canRefresh(registration, peerOf(tools, service.issuer).now())) return undefined;
  const { issuer, resource, id } = registration;
  const name = JSON.stringify(['refresh', issuer, resource, id]);
  const release = await tools.store.lock(name, { signal: tools.signal });
  const refreshed = await refresh(at).finally(release);
  if (refreshed === undefined || 'kind' in refreshed) return refreshed;
  if (refreshed.assertion === null) return undefined;
  const result = await exchange({ ...at, registration: refreshed }, refreshed.assertion);
  return result.kind === 'token' ? result : { ...result, registration: refreshed };
}

async function refresh({
  tools,
  service,
  registration,
}: AtService): Promise<Registration | NotRenewed | undefined> {
  const stored = await reload(tools, registration);
  if (stored === undefined) throw notRegistered(registration.resource);
  // Another process has refreshed since.
  if (isNewer(stored, registration)) return stored;
  const { id: registrationId, members, refresh: token } = stored;
  if (!token || !canRefresh(stored, peerOf(tools, service.issuer).now())) return undefined;
  const result = await ask<Identity | Problem>(tools, service, {
    request: refreshRequest(service, token.value),
    members,
    origin: { of: 'refresh', registrationId },
    read: (answer) => readProblem(answer, 'refresh') ?? readRefreshed(answer),
  }).catch((error) => {
    throw isLoss(error) && mayHaveArrived(error) ? refreshLost(error) : error;
  });
  if ('surface' in result) {
    // The service has not used it up: it may be sent again.
    if (result.move !== 'register') throw problemError(result);
    const saved = await saveRegistration(tools, stored, (now) =>
      isOurs(now, token) ? { ...now, refresh: null } : now,
    );
    return { kind: 'refused', problem: result, registration: saved };
  }
  const { assertion, refresh: next = null } = result;
  return saveRegistration(
    tools,
    stored,
    (now) => (isOurs(now, token) ? { ...now, assertion, refresh: next, ended: null } : now),
    ['refresh'],
  );
}

/** Whether what is stored now has another assertion than the one that did not do. */
function isNewer({ assertion: now }: Registration, { assertion }: Registration): boolean {
  return now !== null && now.value.reveal() !== assertion?.value.reveal();
}

/** A claim that was completed meanwhile has given another, which stays. */
function isOurs({ refresh: stored }: Registration, token: RefreshToken): boolean {
  return !stored || stored.value.reveal() === token.value.reveal();
}

/** The error of a refresh token that was sent, while what came of it is not known. */
function refreshLost(error: AgentError): AgentError {
  const isKept = error.next?.command === 'status';
  return error.with({
    message: `${error.message} It was the answer to a refresh token, which is good for one use and may be used up.`,
    hint: 'Ask for a token again: the refresh token is tried once more then. If it is refused, register again.',
    ...(!isKept && { next: { command: 'token', args: [] } }),
    cause: error,
  });
}
