import { SECOND } from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import { changeRegistration } from '../credentials/change-credentials.ts';
import { readRefreshed } from '../dialects/read-claim.ts';
import type { Identity } from '../dialects/reading.ts';
import { refreshRequest } from '../dialects/requests.ts';
import { isLoss, mayHaveArrived, pause } from '../http/send-patiently.ts';
import type { RefreshToken, Registration, Service } from '../model.ts';
import { problemError } from '../problems/problem-error.ts';
import { readProblem } from '../problems/read-problem.ts';
import { reload, saveRegistration } from '../records/in-use.ts';
import { ask } from '../records/keep-answer.ts';
import { isOver } from '../records/registration-state.ts';
import { notRegistered, recordOf } from '../records/select-service.ts';
import { peerOf, type Tools } from '../tools.ts';
import { type Exchanged, exchange } from './exchange.ts';

/**
 * For how long a refresh token counts as sent by a process that has told nothing since: longer than a request
 * takes, which may have been the last thing that the process did.
 */
const HELD_FOR = 60 * SECOND;
/** How often the store is looked at while another process refreshes. */
const LOOK_EVERY = SECOND / 2;

type Renewed =
  | Exchanged
  /** The service takes neither refresh token nor assertion. */
  | { readonly kind: 'refused'; readonly problem: Problem; readonly registration: Registration };

/** Whether there is a refresh token that may still be good. */
export function canRefresh({ refresh }: Registration, now: number): boolean {
  return refresh !== undefined && refresh !== null && !isOver(refresh.expiresAt, now);
}

/**
 * A new assertion by the refresh token, and a token by that. `undefined`: there is no refresh token.
 * @throws AgentError where the answer does not tell whether the refresh token is good.
 */
export async function renewByRefresh(
  tools: Tools,
  service: Service,
  registration: Registration,
  signal: AbortSignal | undefined,
): Promise<Renewed | undefined> {
  const refreshed = await refresh(tools, service, registration, signal);
  if (refreshed?.kind !== 'refreshed') return refreshed;
  const saved = refreshed.registration;
  if (saved.assertion === null) return undefined;
  const result = await exchange(tools, service, saved, saved.assertion, signal);
  return result.kind === 'token' ? result : { ...result, registration: saved };
}

type Refreshed =
  | { readonly kind: 'refreshed'; readonly registration: Registration }
  | Extract<Renewed, { readonly kind: 'refused' }>;

/**
 * Each refresh token is sent once, by one process: whoever sends it marks it in the store first, and the next
 * one is stored before anything else is done (RFC 9700 §4.14.2: a second use of it may end them all).
 */
async function refresh(
  tools: Tools,
  service: Service,
  registration: Registration,
  signal: AbortSignal | undefined,
): Promise<Refreshed | undefined> {
  for (;;) {
    const taken = await take(tools, registration);
    switch (taken.kind) {
      case 'none':
        return undefined;
      case 'refreshed':
        return taken;
      case 'taken':
        return send(tools, service, taken.registration, taken.token, signal);
      case 'held':
        await pause(tools.context, LOOK_EVERY, signal);
    }
  }
}

type Taken =
  | { readonly kind: 'none' }
  /** Another process sends it now. */
  | { readonly kind: 'held' }
  /** Another process has refreshed since. */
  | { readonly kind: 'refreshed'; readonly registration: Registration }
  | { readonly kind: 'taken'; readonly registration: Registration; readonly token: RefreshToken };

/** Compares and sets, inside the lock of the store. */
function take(tools: Tools, registration: Registration): Promise<Taken> {
  const now = tools.context.clock.now();
  const peer = peerOf(tools, registration.issuer);
  return tools.store.update((current): [typeof current, Taken] => {
    const stored = recordOf(current, registration)?.registrations.find(
      ({ id }) => id === registration.id,
    );
    if (stored === undefined) throw notRegistered(registration.resource);
    if (isNewer(stored, registration)) {
      return [current, { kind: 'refreshed', registration: stored }];
    }
    const { refresh: token } = stored;
    if (!token || isOver(token.expiresAt, peer.now())) return [current, { kind: 'none' }];
    const { sentAt } = token;
    if (sentAt !== undefined && Math.abs(now - sentAt) < HELD_FOR) {
      return [current, { kind: 'held' }];
    }
    const marked = { ...stored, refresh: { ...token, sentAt: now } };
    const next = changeRegistration(current, registration, peer.offset, () => marked);
    return [next, { kind: 'taken', registration: marked, token }];
  });
}

/** Whether what is stored now has another assertion than the one that did not do. */
function isNewer(stored: Registration, { assertion }: Registration): boolean {
  const now = stored.assertion;
  return now !== null && now.value.reveal() !== assertion?.value.reveal();
}

async function send(
  tools: Tools,
  service: Service,
  registration: Registration,
  token: RefreshToken,
  signal: AbortSignal | undefined,
): Promise<Refreshed | undefined> {
  const { id: registrationId, members } = registration;
  let result: Identity | Problem;
  try {
    result = await ask<Identity | Problem>(tools, service, {
      request: refreshRequest(service, token.value),
      members,
      origin: { of: 'refresh', registrationId },
      signal,
      read: (answer) => readProblem(answer, 'refresh', answer.sentAt) ?? readRefreshed(answer),
    });
  } catch (error) {
    if (isLoss(error) && mayHaveArrived(error)) throw refreshLost(error);
    if (isLoss(error)) await release(tools, registration, token);
    throw error;
  }
  if ('surface' in result) return settleRefusal(tools, registration, token, result);
  const saved = await saveRegistration(
    tools,
    registration,
    (stored) => (isOurs(stored, token) ? withGrant(stored, result) : stored),
    ['refresh'],
  );
  return { kind: 'refreshed', registration: saved };
}

/** A claim that was completed meanwhile has given another, which stays. */
function isOurs({ refresh: stored }: Registration, token: RefreshToken): boolean {
  return !stored || stored.value.reveal() === token.value.reveal();
}

function withGrant(stored: Registration, { assertion, refresh }: Identity): Registration {
  return { ...stored, assertion, refresh: refresh ?? null, ended: null };
}

async function settleRefusal(
  tools: Tools,
  registration: Registration,
  token: RefreshToken,
  problem: Problem,
): Promise<Refreshed> {
  if (problem.move !== 'register') {
    // The service has not used it up: it may be sent again.
    await release(tools, registration, token);
    throw problemError(problem);
  }
  const saved = await change(tools, registration, token, () => null);
  return { kind: 'refused', problem, registration: saved ?? registration };
}

/** Takes the mark away. Where nothing can be written, it goes by itself. */
async function release(tools: Tools, registration: Registration, token: RefreshToken) {
  const { value, expiresAt } = token;
  await change(tools, registration, token, () => ({ value, expiresAt }));
}

async function change(
  tools: Tools,
  registration: Registration,
  token: RefreshToken,
  to: () => RefreshToken | null,
): Promise<Registration | undefined> {
  try {
    return await saveRegistration(tools, registration, (stored) =>
      isOurs(stored, token) && stored.refresh ? { ...stored, refresh: to() } : stored,
    );
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    tools.context.log.warn('what became of a refresh token was not stored', { code: error.code });
    return reload(tools, registration).catch(() => undefined);
  }
}

/** It was sent, and what came of it is not known. */
function refreshLost(error: AgentError): AgentError {
  const isKept = error.next?.command === 'status';
  return error.with({
    message: `${error.message} It was the answer to a refresh token, which is good for one use and may be used up.`,
    hint: 'Ask for a token again in a minute: the refresh token is tried once more then. If it is refused, register again.',
    ...(!isKept && { next: { command: 'token', args: [] } }),
    cause: error,
  });
}
