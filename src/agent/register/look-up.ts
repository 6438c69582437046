import type { Problem } from '../agent-error.ts';
import {
  canPoll,
  collect,
  type PollNow,
  pollOnce,
  saysClaimed,
  settleAlready,
} from '../claim/poll-claim.ts';
import { requestAttempt } from '../claim/request-attempt.ts';
import { saveAttempt, settleClaimed, settleOver, settleRevoked } from '../claim/settle-claim.ts';
import { exchange } from '../exchange/exchange.ts';
import { renewByRefresh } from '../exchange/refresh.ts';
import type { AccessToken, OpenClaim, Registration, Service, Warning } from '../model.ts';
import { problemError } from '../problems/problem-error.ts';
import { isOver, registrationState } from '../records/registration-state.ts';
import { peerOf, type Tools } from '../tools.ts';

/** What a service answers about a stored registration; all of it is stored. */
export type LookedUp =
  | {
      readonly kind: 'token';
      readonly registration: Registration;
      readonly token: AccessToken;
      readonly warnings: readonly Warning[];
    }
  /** It exists, and its user has to act before there is a token. */
  | { readonly kind: 'waiting'; readonly registration: Registration }
  /** The service no longer has it: ended, in the store too. */
  | { readonly kind: 'ended'; readonly registration: Registration };

/**
 * Asks a service whether it still has a registration, by requests that yield a token if it does: an
 * exchange even where a token is stored; then one use of a refresh token; then one poll of an open claim; then a
 * new attempt in place of one that has expired. A direct credential is taken at its word until it ends. A claim without an assertion to exchange is not polled before its interval has passed
 * (RFC 8628 §3.5); until then the stored state counts.
 * @throws AgentError when the answer does not show whether it has: nothing is marked as ended then.
 */
export async function lookUp(
  tools: Tools,
  service: Service,
  registration: Registration,
  signal: AbortSignal | undefined,
): Promise<LookedUp> {
  const { assertion, claim, token } = registration;
  // A direct credential is not exchanged: only a call shows whether it is still good.
  if (token?.direct && !isOver(token.expiresAt, peerOf(tools, service.issuer).now())) {
    return { kind: 'token', registration, token, warnings: [] };
  }
  if (assertion !== null) {
    const result = await exchange(tools, service, registration, assertion, signal);
    if (result.kind === 'token') return result;
    const renewed = await renewByRefresh(tools, service, registration, signal);
    if (renewed?.kind === 'token') return renewed;
  } else if (claim !== null && isQuiet(claim, peerOf(tools, service.issuer).now())) {
    return { kind: 'waiting', registration };
  }
  if (claim?.attempt?.kind === 'read_back') {
    // Another attempt would ask a user again who denied this one.
    if (claim.attempt.ended === 'denied') return { kind: 'waiting', registration };
    const isOpen =
      registrationState(registration, peerOf(tools, service.issuer).now()) === 'pending';
    return isOpen
      ? { kind: 'waiting', registration }
      : reopen(tools, service, registration, signal);
  }
  if (claim === null) return end(tools, registration);
  if (!canPoll(service)) {
    // One that nobody has started cannot be asked about: it may be started until its window is over.
    const isLeft =
      claim.attempt === null && !isOver(claim.expiresAt, peerOf(tools, service.issuer).now());
    return isLeft ? { kind: 'waiting', registration } : end(tools, registration);
  }
  const polled = await pollOnce(tools, service, registration, claim, signal);
  return lapsed(polled) ? reopen(tools, service, polled.registration, signal) : afterPoll(polled);
}

/** A wait longer than the interval does not count: the clock of a service that was reset may have gone back. */
function isQuiet({ attempt }: OpenClaim, now: number): boolean {
  if (attempt?.kind !== 'type_there' || attempt.nextPollAt === undefined) return false;
  const left = attempt.nextPollAt - now;
  return left > 0 && left <= attempt.interval;
}

/** The poll answered that the attempt expired or that the token is unknown: starting a claim shows which. */
async function reopen(
  tools: Tools,
  service: Service,
  registration: Registration,
  signal: AbortSignal | undefined,
): Promise<LookedUp> {
  const { claim } = registration;
  const email = claim?.email ?? registration.email;
  // Without an email no attempt was ever opened, so it is the token that is unknown.
  if (claim === null || email === null) return end(tools, registration);
  const claimer = { by: 'email', email } as const;
  const claimable = { ...registration, claim };
  const result = await requestAttempt(tools, service, claimable, claimer, signal);
  if (result.kind === 'attempt') {
    const saved = await saveAttempt(tools, registration, email, result);
    return { kind: 'waiting', registration: saved };
  }
  if (result.kind === 'claimed') {
    const grant = { ...result.grant, dialect: result.dialect };
    return { kind: 'token', ...(await settleClaimed(tools, service, registration, grant)) };
  }
  const { problem } = result;
  if (isGone(problem)) return afterPoll(await settleOver(tools, registration));
  if (!isClaimed(problem)) throw problemError(problem);
  const polled = await collect(tools, service, registration, claim, signal);
  if (polled === undefined && saysClaimed(problem)) {
    return afterPoll(await settleAlready(tools, service, registration, claim, signal));
  }
  if (polled === undefined || lapsed(polled)) throw problemError(problem);
  return afterPoll(polled);
}

/** By its code, else by its status. */
function isGone({ code, move, status }: Problem): boolean {
  return code === 'claim_expired' || move === 'register' || status === 401 || status === 410;
}

function isClaimed({ move, status }: Problem): boolean {
  return move === 'poll_claim' || status === 409;
}

/**
 * An unknown claim token is answered the same; {@link reopen} tells them apart by starting a claim. After a
 * denial no claim is started: it would ask the user again.
 */
function lapsed(polled: PollNow): boolean {
  return polled.status === 'attempt_expired';
}

function afterPoll(polled: PollNow): LookedUp {
  const { registration } = polled;
  switch (polled.status) {
    case 'claimed':
      return { kind: 'token', ...polled };
    case 'pending':
    case 'denied':
    case 'attempt_expired':
      return { kind: 'waiting', registration };
    case 'revoked':
    case 'window_over':
      return { kind: 'ended', registration };
  }
}

async function end(tools: Tools, registration: Registration): Promise<LookedUp> {
  return afterPoll(await settleRevoked(tools, registration));
}
