import type { Problem } from '../agent-error.ts';
import { type PollNow, pollOnce } from '../claim/poll-claim.ts';
import { requestAttempt } from '../claim/request-attempt.ts';
import { saveAttempt, settleOver, settleRevoked } from '../claim/settle-claim.ts';
import { exchange } from '../exchange/exchange.ts';
import type { AccessToken, OpenClaim, Registration, Service, Warning } from '../model.ts';
import { problemError } from '../problems/problem-error.ts';
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
 * Asks a service whether it still has a registration, by what gains a token if it does: an exchange
 * past the stored token, then one poll of an open claim, then a fresh attempt of one that is over. A claim
 * that has nothing to exchange is not polled before its interval is over; until then the store counts.
 * @throws AgentError when the answer does not tell: nothing has ended then.
 */
export async function lookUp(
  tools: Tools,
  service: Service,
  registration: Registration,
  signal: AbortSignal | undefined,
): Promise<LookedUp> {
  const { assertion, claim } = registration;
  if (assertion !== null) {
    const result = await exchange(tools, service, registration, assertion, signal);
    if (result.kind === 'token') return result;
  } else if (claim !== null && isQuiet(claim, peerOf(tools, service.issuer).now())) {
    return { kind: 'waiting', registration };
  }
  if (claim === null || service.claimGrantType === undefined) return end(tools, registration);
  const polled = await pollOnce(tools, service, registration, claim, signal);
  return lapsed(polled) ? reopen(tools, service, polled.registration, signal) : afterPoll(polled);
}

/** Never longer than the interval: the clock of a service that was reset may have gone back. */
function isQuiet({ attempt }: OpenClaim, now: number): boolean {
  if (attempt?.quietUntil === undefined) return false;
  const left = attempt.quietUntil - now;
  return left > 0 && left <= attempt.interval;
}

/** By the poll the attempt is over or the token unknown: a claim start tells which. */
async function reopen(
  tools: Tools,
  service: Service,
  registration: Registration,
  signal: AbortSignal | undefined,
): Promise<LookedUp> {
  const { claim } = registration;
  const email = claim?.email ?? registration.email;
  // Nobody was named, so no attempt was ever open: it is the token that is unknown.
  if (claim === null || email === null) return end(tools, registration);
  const result = await requestAttempt(
    tools,
    service,
    { id: registration.id, claim },
    email,
    signal,
  );
  if (result.kind === 'attempt') {
    const saved = await saveAttempt(tools, registration, email, result.attempt);
    return { kind: 'waiting', registration: saved };
  }
  const { problem } = result;
  if (isGone(problem)) {
    const { registration: ended } = await settleOver(tools, registration);
    return { kind: 'ended', registration: ended };
  }
  if (!isClaimed(problem)) throw problemError(problem);
  const polled = await pollOnce(tools, service, registration, claim, signal);
  if (lapsed(polled)) throw problemError(problem);
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
 * Also the answer to an unknown claim token: a claim start tells them apart. After a denial none is made: it
 * would ask that user again.
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
  const { registration: ended } = await settleRevoked(tools, registration);
  return { kind: 'ended', registration: ended };
}
