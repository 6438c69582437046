import type { Secret } from '../../runtime/index.ts';
/**
 * What the end of a poll means for the stored registration. Each writes before it returns. Only an answer
 * of the service ends anything: a claim that was completed in its last second can be collected after
 * its windows have expired (wire contract §0), so the clock alone drops no claim token.
 */
import { AgentError } from '../agent-error.ts';
import type { ClaimGrant } from '../dialects/dialect.ts';
import { inHeaderOf } from '../dialects/read-credential.ts';
import { firstToken } from '../exchange/exchange.ts';
import type {
  AccessToken,
  ClaimAttempt,
  ClaimForm,
  DialectId,
  Registration,
  Warning,
} from '../model.ts';
import type { EndedClaim } from '../outcomes.ts';
import type { FinalPoll } from '../polling/next-poll.ts';
import type { AtService } from '../records/at-service.ts';
import { saveRegistration } from '../records/in-use.ts';
import { isOver, wasDenied } from '../records/registration-state.ts';
import { peerOf, type Tools } from '../tools.ts';

export interface ClaimedNow {
  readonly status: 'claimed';
  readonly registration: Registration;
  readonly token: AccessToken;
  readonly warnings: readonly Warning[];
}

/** Stores what ended the polling. */
export async function settlePoll(
  at: AtService,
  outcome: FinalPoll<ClaimGrant>,
): Promise<ClaimedNow | EndedClaim> {
  const { tools, registration } = at;
  switch (outcome.kind) {
    case 'done':
      return settleClaimed(at, outcome.value);
    case 'expired':
      return settleExpired(tools, registration);
    case 'denied': {
      // The claim token stays: another attempt can be opened.
      const saved = await changeAttempt(tools, registration, endedAs('denied'));
      return { status: 'denied', registration: saved };
    }
    case 'gone':
      return settleRevoked(tools, registration);
  }
}

/**
 * The claim is complete: assertion, token and the end of the claim token go into the store in one
 * write, so that the claim can still be collected when that write fails. Where the claim gave no token, what
 * the registration has now is exchanged.
 * @param email whose it is now, where that is not the user whom its attempt names.
 */
export async function settleClaimed(
  { tools, service, registration }: AtService,
  grant: ClaimGrant,
  email: string | null = null,
): Promise<ClaimedNow> {
  const saved = await saveRegistration(
    tools,
    registration,
    (stored) => ({
      ...stored,
      dialect: grant.dialect ?? stored.dialect,
      assertion: grant.assertion ?? stored.assertion,
      ...(grant.refresh !== undefined && { refresh: grant.refresh }),
      token: inHeaderOf(service, grant.token) ?? widened(stored, grant),
      postClaimScopes: grant.token?.scopes ?? grant.scopes ?? stored.postClaimScopes,
      claim: null,
      claimed: true,
      ended: null,
      email: email ?? stored.claim?.email ?? stored.email,
    }),
    ['claim', 'claimed', 'token'],
  );
  const { warnings } = grant;
  const { assertion, token } = saved;
  if (token !== null) return { status: 'claimed', registration: saved, token, warnings };
  const done = `The claim of ${saved.id} is complete`;
  if (assertion === null) {
    throw new AgentError(`${done}, but the service gave nothing to make calls with.`, {
      code: 'bad_answer',
      next: { command: 'status', args: [] },
    });
  }
  const made = { done, again: 'claim' } as const;
  // The claim is stored: what it gives is not given up.
  const unaborted = { ...tools, signal: undefined };
  const at = { tools: unaborted, service, registration: saved };
  const first = await firstToken(at, assertion, made);
  return {
    status: 'claimed',
    registration: first.registration,
    token: first.token,
    warnings: [...warnings, ...first.warnings],
  };
}

/** A direct credential reaches further after a claim; a token of before the claim does not. */
function widened(
  { token, postClaimScopes }: Registration,
  { scopes }: ClaimGrant,
): AccessToken | null {
  return token?.direct ? { ...token, scopes: scopes ?? postClaimScopes ?? token.scopes } : null;
}

/** The service no longer has the claim: revoked, or delivered elsewhere, perhaps to another process here. */
export async function settleRevoked(
  tools: Tools,
  registration: Registration,
): Promise<ClaimedNow | EndedClaim<'revoked'>> {
  const saved = await end(tools, registration, 'revoked');
  return claimedInStore(saved) ?? { status: 'revoked', registration: saved };
}

/** A claim that is complete, with a token, as it is stored. */
export function claimedInStore(registration: Registration): ClaimedNow | undefined {
  const { claimed, ended, token } = registration;
  if (!claimed || ended !== null || token === null) return undefined;
  return { status: 'claimed', registration, token, warnings: [] };
}

/** The service answered that the outer window has expired. */
export async function settleWindowOver(
  tools: Tools,
  registration: Registration,
): Promise<EndedClaim<'window_over'>> {
  return { status: 'window_over', registration: await end(tools, registration, 'expired') };
}

/** The code means "expired or revoked"; the stored end of the window shows which. */
export function settleOver(
  tools: Tools,
  registration: Registration,
): Promise<ClaimedNow | EndedClaim<'window_over' | 'revoked'>> {
  const end = registration.claim?.expiresAt ?? null;
  const isWindow = end === null || isWindowOver(tools, registration);
  return isWindow ? settleWindowOver(tools, registration) : settleRevoked(tools, registration);
}

/** The service answered that the attempt has expired; by the clock, the window may have expired too. */
async function settleExpired(tools: Tools, registration: Registration): Promise<EndedClaim> {
  if (isWindowOver(tools, registration)) return settleWindowOver(tools, registration);
  const saved = await changeAttempt(tools, registration, endedAs('expired'));
  return { status: endOfAttempt(saved), registration: saved };
}

/** The outcome of an attempt that has expired by the clock, while the service has not answered so. */
export function overByTime(
  tools: Tools,
  registration: Registration,
): EndedClaim<'attempt_expired' | 'denied' | 'window_over'> {
  const status = isWindowOver(tools, registration) ? 'window_over' : endOfAttempt(registration);
  return { status, registration };
}

function endOfAttempt(registration: Registration): 'attempt_expired' | 'denied' {
  return wasDenied(registration) ? 'denied' : 'attempt_expired';
}

/** An attempt, the dialect of the answer that it came in, and the form that was asked in. */
export interface OpenedAttempt {
  readonly attempt: ClaimAttempt;
  readonly dialect: DialectId;
  readonly form: ClaimForm | undefined;
  /** The claim token that replaces the one that was sent. */
  readonly claimToken?: Secret;
}

/** Stores an attempt that was opened for `email`, as far as that is known, in place of the one before. */
export function saveAttempt(
  tools: Tools,
  registration: Registration,
  email: string | null,
  { attempt, claimToken, dialect, form }: OpenedAttempt,
): Promise<Registration> {
  const now = peerOf(tools, registration.issuer).now();
  return saveRegistration(
    tools,
    registration,
    (stored) => ({
      ...stored,
      // The last answer shows what the service speaks.
      dialect,
      claim: stored.claim && {
        ...stored.claim,
        email,
        attempt: quietFrom(attempt, now),
        ...(form !== undefined && { form }),
        ...(claimToken !== undefined && { token: claimToken }),
      },
    }),
    ['claim'],
  );
}

/** An attempt that was opened, or polled, just now: the next poll is due one interval later. */
export function quietFrom(attempt: ClaimAttempt, now: number): ClaimAttempt {
  return attempt.kind === 'type_there'
    ? { ...attempt, nextPollAt: now + attempt.interval }
    : attempt;
}

/**
 * Notes when the next poll is due, so that a later wait, in whatever process, goes on from there; a longer interval is
 * for all later polls (RFC 8628 §3.5). A convenience: where nothing can be written, or the registration was removed
 * meanwhile, the polling goes on.
 */
export async function keepPace(
  tools: Tools,
  registration: Registration,
  { interval, wait }: { readonly interval?: number; readonly wait?: number } = {},
): Promise<Registration> {
  try {
    return await changeAttempt(tools, registration, (attempt, now) => {
      if (attempt.kind === 'read_back') return attempt;
      const next = { ...attempt, interval: interval ?? attempt.interval };
      return { ...next, nextPollAt: now + (wait ?? next.interval) };
    });
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    tools.context.log.warn('the time of a poll was not stored', { code: error.code });
    return registration;
  }
}

function isWindowOver(tools: Tools, { claim, issuer }: Registration): boolean {
  return isOver(claim?.expiresAt, peerOf(tools, issuer).now());
}

function end(
  tools: Tools,
  registration: Registration,
  ended: Registration['ended'],
): Promise<Registration> {
  return saveRegistration(tools, registration, (stored) =>
    // What ended is the claim that was asked about: another process may have collected it meanwhile.
    isCollected(stored, registration)
      ? stored
      : { ...stored, claim: null, ended: stored.ended ?? ended },
  );
}

/** Whether a claim that was open when it was asked about is complete by now, through another process. */
function isCollected(stored: Registration, { claim }: Registration): boolean {
  return claim !== null && stored.claim === null && stored.claimed && stored.ended === null;
}

/** An attempt that its user denied stays denied, whatever the service answers later. */
function endedAs(ended: 'denied' | 'expired'): ChangeOfAttempt {
  return (attempt, now) =>
    quietFrom({ ...attempt, ended: attempt.ended === 'denied' ? 'denied' : ended }, now);
}

type ChangeOfAttempt = (attempt: ClaimAttempt, now: number) => ClaimAttempt;

function changeAttempt(
  tools: Tools,
  registration: Registration,
  change: ChangeOfAttempt,
): Promise<Registration> {
  const now = peerOf(tools, registration.issuer).now();
  return saveRegistration(tools, registration, (stored) => {
    const { claim } = stored;
    if (!claim?.attempt) return stored;
    return { ...stored, claim: { ...claim, attempt: change(claim.attempt, now) } };
  });
}
