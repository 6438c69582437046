import type { AgentError, Problem } from '../agent-error.ts';
import { readRefreshed } from '../dialects/read-claim.ts';
import type { Identity } from '../dialects/reading.ts';
import { refreshRequest } from '../dialects/requests.ts';
import { isLoss, mayHaveArrived } from '../http/send-patiently.ts';
import type { RefreshToken, Registration, Service } from '../model.ts';
import { problemError } from '../problems/problem-error.ts';
import { readProblem } from '../problems/read-problem.ts';
import { reload, saveRegistration } from '../records/in-use.ts';
import { ask } from '../records/keep-answer.ts';
import { isOver } from '../records/registration-state.ts';
import { notRegistered } from '../records/select-service.ts';
import { peerOf, type Tools } from '../tools.ts';
import { type Exchanged, exchange } from './exchange.ts';

/** The service takes neither refresh token nor assertion. */
interface Refused {
  readonly kind: 'refused';
  readonly problem: Problem;
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
export async function renewByRefresh(
  tools: Tools,
  service: Service,
  registration: Registration,
): Promise<Exchanged | Refused | undefined> {
  if (!canRefresh(registration, peerOf(tools, service.issuer).now())) return undefined;
  const { issuer, resource, id } = registration;
  const name = JSON.stringify(['refresh', issuer, resource, id]);
  const release = await tools.store.lock(name, { signal: tools.signal });
  const refreshed = await refresh(tools, service, registration).finally(release);
  if (refreshed === undefined || 'kind' in refreshed) return refreshed;
  if (refreshed.assertion === null) return undefined;
  const result = await exchange(tools, service, refreshed, refreshed.assertion);
  return result.kind === 'token' ? result : { ...result, registration: refreshed };
}

async function refresh(
  tools: Tools,
  service: Service,
  registration: Registration,
): Promise<Registration | Refused | undefined> {
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
    read: (answer) => readProblem(answer, 'refresh', answer.sentAt) ?? readRefreshed(answer),
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

/** It was sent, and what came of it is not known. */
function refreshLost(error: AgentError): AgentError {
  const isKept = error.next?.command === 'status';
  return error.with({
    message: `${error.message} It was the answer to a refresh token, which is good for one use and may be used up.`,
    hint: 'Ask for a token again: the refresh token is tried once more then. If it is refused, register again.',
    ...(!isKept && { next: { command: 'token', args: [] } }),
    cause: error,
  });
}
