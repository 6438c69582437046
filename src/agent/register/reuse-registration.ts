import { normalizeEmail, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
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
import { livingOther, useRegistration } from '../credentials/change-credentials.ts';
import { canRefresh, exchange, renewByRefresh } from '../exchange/exchange.ts';
import type {
  AccessToken,
  Credentials,
  Discovery,
  OpenClaim,
  Registration,
  Service,
  ServiceRecord,
  Warning,
} from '../model.ts';
import type { ClaimNeeded, ClaimPending, Registered } from '../outcomes.ts';
import { problemError } from '../problems/problem.ts';
import type { AtService } from '../records/at-service.ts';
import { saveRegistration } from '../records/in-use.ts';
import { registerAnew } from '../records/register-step.ts';
import { isLive, isOver, registrationState } from '../records/registration-state.ts';
import { notRegistered, recordOf } from '../records/select-service.ts';
import type { RegisterRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { claimPending, type Made } from './settle-registration.ts';

type Known = Exclude<LookedUp, { readonly kind: 'ended' }>;

interface Reused {
  readonly outcome: Registered | ClaimPending | ClaimNeeded | undefined;
  /** The registrations that have ended, as {@link Registered.ended}. */
  readonly ended: readonly Registration[];
}

/** Narrower than type and user. */
export interface Among {
  /** The registration to ask about before others, also before the one in use. */
  readonly first?: string | undefined;
  /** Looked at before the service is asked, and after: an answer may have settled whose it is. */
  readonly fits?: ((registration: Registration) => boolean) | undefined;
}

/**
 * The registration of the request's type and user that the service still has, which is in use from now on;
 * `undefined` when there is none. Those that it no longer has are ended, in the store too.
 * @throws AgentError when the answer does not tell: nothing has ended or been registered then.
 */
export async function reuseRegistration(
  tools: Tools,
  { service, warnings }: Discovery,
  request: RegisterRequest,
  among: Among = {},
): Promise<Reused> {
  const ended: Registration[] = [];
  const credentials = await tools.store.read();
  const record = recordOf(credentials, service);
  if (record === undefined) return { outcome: undefined, ended };
  const now = peerOf(tools, service.issuer, record.clockOffset).now();
  const { fits = () => true } = among;
  for (const candidate of candidates(credentials, record, request, now, among.first)) {
    if (!fits(candidate)) continue;
    const member = await withMembers(tools, candidate);
    const known = await lookUp({ tools, service, registration: member }).catch((error) => {
      throw notLearnt(candidate, error);
    });
    if (known.kind === 'ended') ended.push(known.registration);
    else if (fits(known.registration)) {
      return { outcome: await takeUp(tools, service, known, { warnings, ended }), ended };
    }
  }
  return { outcome: undefined, ended };
}

/** Members that are given now go with every further request of a registration that is there already, too. */
async function withMembers(tools: Tools, registration: Registration): Promise<Registration> {
  const { members } = tools;
  const { members: stored = {} } = registration;
  const names = Object.keys(members ?? {});
  const isKnown = names.every((name) => stored[name] === members?.[name]);
  if (members === undefined || (isKnown && names.length === Object.keys(stored).length)) {
    return registration;
  }
  return saveRegistration(tools, registration, (one) => ({ ...one, members }));
}

/** The `first` one, then the one in use, then those that were claimed, then the newest. */
function candidates(
  { providers }: Credentials,
  { registrations, current }: ServiceRecord,
  request: RegisterRequest,
  now: number,
  first: string | undefined,
): readonly Registration[] {
  const account = (issuer: string) => providers.find((one) => one.issuer === issuer)?.account;
  const rank = ({ id, claimed }: Registration) =>
    id === first ? 3 : id === current ? 2 : claimed ? 1 : 0;
  return registrations
    .filter((one) => one.ended === null && one.type === request.type)
    .filter((one) => isOfUser(one, request, now, account))
    .reverse()
    .sort((a, b) => rank(b) - rank(a));
}

function isOfUser(
  registration: Registration,
  request: RegisterRequest,
  now: number,
  accountAt: (provider: string) => string | null | undefined,
): boolean {
  switch (request.type) {
    case 'anonymous':
      return true;
    case 'service_auth':
      return registration.email === normalizeEmail(request.loginHint);
    case 'identity_assertion': {
      const { provider, email } = registration;
      // The user of a given ID-JAG is known to the service alone, so it is sent.
      if (!('provider' in request) || provider === null) return false;
      if (withoutFinalSlash(provider) !== withoutFinalSlash(request.provider)) return false;
      if (!canGoOn(registration, now)) return false;
      const account = normalizeEmail(accountAt(provider) ?? '');
      return account === undefined || email === null || account === normalizeEmail(email);
    }
  }
}

/**
 * Whether a registration gets tokens without another ID-JAG: by an API key, an assertion, or a code that the user
 * holds.
 */
function canGoOn(registration: Registration, now: number): boolean {
  const { assertion, token } = registration;
  if (token?.direct && !isOver(token.expiresAt, now)) return true;
  if (assertion === null) return registrationState(registration, now) === 'pending';
  return !isOver(assertion.expiresAt, now) || canRefresh(registration, now);
}

async function takeUp(
  tools: Tools,
  service: Service,
  known: Known,
  found: Pick<Made, 'warnings' | 'ended'>,
): Promise<Registered | ClaimPending | ClaimNeeded> {
  const { registration } = known;
  const { issuer, name = null } = service;
  const peer = peerOf(tools, issuer);
  const previous = await tools.store.update((current) => {
    const used = useRegistration(current, registration, { name, clockOffset: peer.offset });
    if (used === undefined) throw notRegistered(registration.resource);
    return [used, livingOther(current, registration, (one) => isLive(one, peer.now()))];
  });
  const made: Made = { ...found, service, registration, already: true, previous };
  if (known.kind === 'token') {
    const { token } = known;
    const warnings = [...found.warnings, ...known.warnings];
    return { ...made, status: 'registered', token, warnings };
  }
  const { attempt = null } = registration.claim ?? {};
  const reason =
    attempt === null ? 'not_started' : attempt.ended === 'denied' ? 'denied' : 'lapsed';
  const isOpen = attempt?.ended === null && !isOver(attempt.expiresAt, peer.now());
  const pending = isOpen ? claimPending(tools, made) : undefined;
  return pending ?? { ...made, status: 'claim_needed', reason };
}

/** The error states that nothing has changed. */
function notLearnt(registration: Registration, error: unknown): unknown {
  if (!(error instanceof AgentError) || error.code === 'aborted') return error;
  const { hint, problem } = error;
  const isPassing = error.kind === 'network' || error.retryable;
  const isUnclear = problem !== undefined || hint === undefined;
  const clear = isUnclear
    ? 'It may still be valid there: do not register again before that is clear.'
    : hint;
  return error.with({
    message: `It is not clear whether the service still has ${registration.id}, so nothing was registered: ${error.message}`,
    hint: isPassing ? 'Try again later.' : clear,
    next: isPassing
      ? registerAnew(registration)
      : (error.next ?? { command: 'doctor', args: [registration.resource] }),
    cause: error,
  });
}

/** What a service answers about a stored registration; all of it is stored. */
type LookedUp =
  | {
      readonly kind: 'token';
      readonly registration: Registration;
      readonly token: AccessToken;
      readonly warnings: readonly Warning[];
    }
  /** The registration exists, and its user has to act before there is a token. */
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
async function lookUp(at: AtService): Promise<LookedUp> {
  const { tools, service, registration } = at;
  const { assertion, claim, token } = registration;
  // A direct credential is not exchanged: only a call shows whether it is still good.
  if (token?.direct && !isOver(token.expiresAt, peerOf(tools, service.issuer).now())) {
    return { kind: 'token', registration, token, warnings: [] };
  }
  if (assertion !== null) {
    const result = await exchange(at, assertion);
    if (result.kind === 'token') return result;
    const renewed = await renewByRefresh(at);
    if (renewed?.kind === 'token') return renewed;
  } else if (claim !== null && isQuiet(claim, peerOf(tools, service.issuer).now())) {
    return { kind: 'waiting', registration };
  }
  if (claim?.attempt?.kind === 'read_back') {
    // Another attempt would ask a user again who denied this one.
    if (claim.attempt.ended === 'denied') return { kind: 'waiting', registration };
    const isOpen =
      registrationState(registration, peerOf(tools, service.issuer).now()) === 'pending';
    return isOpen ? { kind: 'waiting', registration } : reopen(at);
  }
  if (claim === null) return end(tools, registration);
  if (!canPoll(service)) {
    // One that nobody has started cannot be asked about: it may be started until its window is over.
    const isLeft =
      claim.attempt === null && !isOver(claim.expiresAt, peerOf(tools, service.issuer).now());
    return isLeft ? { kind: 'waiting', registration } : end(tools, registration);
  }
  const polled = await pollOnce({ ...at, claim });
  const { registration: now } = polled;
  return lapsed(polled) ? reopen({ ...at, registration: now }) : afterPoll(polled);
}

/** A wait longer than the interval does not count: the clock of a service that was reset may have gone back. */
function isQuiet({ attempt }: OpenClaim, now: number): boolean {
  if (attempt?.kind !== 'type_there' || attempt.nextPollAt === undefined) return false;
  const left = attempt.nextPollAt - now;
  return left > 0 && left <= attempt.interval;
}

/** The poll answered that the attempt expired or that the token is unknown: starting a claim shows which. */
async function reopen(at: AtService): Promise<LookedUp> {
  const { tools, service, registration } = at;
  const { claim } = registration;
  const email = claim?.email ?? registration.email;
  // Without an email no attempt was ever opened, so it is the token that is unknown.
  if (claim === null || email === null) return end(tools, registration);
  const claimer = { by: 'email', email } as const;
  const claimable = { ...registration, claim };
  const result = await requestAttempt(tools, service, claimable, claimer);
  if (result.kind === 'attempt') {
    const saved = await saveAttempt(tools, registration, email, result);
    return { kind: 'waiting', registration: saved };
  }
  if (result.kind === 'claimed') {
    const grant = { ...result.grant, dialect: result.dialect };
    return { kind: 'token', ...(await settleClaimed(at, grant)) };
  }
  const { problem } = result;
  if (isGone(problem)) return afterPoll(await settleOver(tools, registration));
  if (!isClaimed(problem)) throw problemError(problem);
  const polled = await collect({ ...at, claim });
  if (polled === undefined && saysClaimed(problem)) {
    return afterPoll(await settleAlready({ ...at, claim }));
  }
  if (polled === undefined || lapsed(polled)) throw problemError(problem);
  return afterPoll(polled);
}

/** Whether the service no longer has the registration: by the problem's code, else by its status. */
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
