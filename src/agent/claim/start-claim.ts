import { displayText, normalizeEmail, WIRE_CODES } from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import { reachService } from '../discovery/reach-service.ts';
import type { OpenClaim, Registration, Service } from '../model.ts';
import type { ClaimOpen, ResumeClaimOutcome, StartClaimOutcome } from '../outcomes.ts';
import { problemError, wordsBeside } from '../problems/problem.ts';
import { userNeeded, withIdJag } from '../provider/id-jag.ts';
import { loginRequired } from '../provider/open-session.ts';
import type { AtClaim } from '../records/at-service.ts';
import { ceremonyOf } from '../records/ceremony-of.ts';
import { type InUse, keepClock, takeIntoUse } from '../records/in-use.ts';
import { registerAnew } from '../records/register-step.ts';
import { isOver, registrationState, userOf, wasDenied } from '../records/registration-state.ts';
import { requireEmail } from '../records/require-email.ts';
import type { ResumeClaimRequest, StartClaimRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { closedClaim, noClaim } from './no-claim.ts';
import {
  type Claimable,
  canPoll,
  collect,
  pollOnce,
  saysClaimed,
  settleAlready,
  unpolledWarnings,
} from './poll-claim.ts';
import { type AttemptResult, requestAttempt } from './request-attempt.ts';
import {
  saveAttempt,
  settleClaimed,
  settleOver,
  settleRevoked,
  settleWindowOver,
} from './settle-claim.ts';

export async function startClaim(
  tools: Tools,
  request: StartClaimRequest,
): Promise<StartClaimOutcome> {
  const inUse = await takeIntoUse(tools, request.service);
  const { record, registration, peer } = inUse;
  const { claim } = registration;
  const given = readClaimEmail(registration, request.email);
  if (claim === null) return closedClaim(registration);
  // Checked first: a claim that cannot be stored would be lost.
  await tools.store.probeWritable();
  const service = await reachService(tools, record);

  if (isOver(claim.expiresAt, peer.now()) && canPoll(service)) {
    return collectLate({ tools, service, registration, claim });
  }
  if (request.provider !== undefined) {
    const claimable = { ...registration, claim };
    const { result, email } = await claimByIdJag(tools, service, claimable, request.provider);
    return settleStart(tools, inUse, {
      service,
      claim,
      result,
      email: email ?? claim.email,
    });
  }
  if (!request.renew && (given === undefined || given === claim.email)) {
    if (wasDenied(registration)) return { status: 'denied', registration };
    const isOpen = registrationState(registration, peer.now()) === 'pending';
    const open = isOpen ? openClaim(inUse, service, registration, true) : undefined;
    if (open !== undefined) return open;
  }

  const email = given ?? claim.email ?? registration.email;
  if (email === null) {
    throw new AgentError('The user who is to take over is not known.', {
      code: 'bad_email',
      hint: 'Name the email address of the user who takes over.',
      next: { command: 'claim', args: ['--email', 'EMAIL'] },
    });
  }
  const claimer = { by: 'email', email } as const;
  const claimable = { ...registration, claim };
  const result = await requestAttempt(tools, service, claimable, claimer);
  return settleStart(tools, inUse, { service, claim, result, email });
}

interface Started {
  readonly service: Service;
  readonly claim: OpenClaim;
  readonly result: AttemptResult;
  /** Whom it is for; `null`: not known. */
  readonly email: string | null;
}

async function settleStart(
  tools: Tools,
  inUse: InUse,
  { service, claim, result, email }: Started,
): Promise<StartClaimOutcome> {
  const { registration } = inUse;
  const at = { tools, service, registration, claim };
  if (result.kind === 'problem') return settleProblem(at, result.problem);
  if (result.kind === 'claimed') {
    const { grant, dialect } = result;
    return settleClaimed(at, { ...grant, dialect }, email);
  }
  const saved = await saveAttempt(tools, registration, email, result);
  const open = openClaim(inUse, service, saved, false);
  // Another process may have collected the claim while this one was asking, or was told that it ended.
  return open ?? closedClaim(saved);
}

/** The window has expired, but a claim that was completed within it can still be collected. */
async function collectLate(at: AtClaim): Promise<StartClaimOutcome> {
  const polled = await pollOnce(at);
  if (polled.status === 'claimed' || polled.status === 'revoked') return polled;
  return settleWindowOver(at.tools, polled.registration);
}

async function settleProblem(at: AtClaim, problem: Problem): Promise<StartClaimOutcome> {
  const { tools, registration } = at;
  if (problem.code === 'claim_expired') return settleOver(tools, registration);
  if (problem.move === 'poll_claim') {
    const polled = await collect(at);
    if (polled?.status === 'claimed' || polled?.status === 'revoked') return polled;
    if (polled?.status === 'pending') throw inFlight(problem, polled.registration);
    if (polled === undefined && saysClaimed(problem)) {
      return settleAlready(at);
    }
  }
  if (problem.move !== 'register') throw problemError(problem);
  // The service does not have it: kept as denied or open, `register` would show it so for ever.
  const settled = await settleRevoked(tools, registration);
  if (settled.status === 'claimed') return settled;
  throw problemError(problem, registerAnew(registration));
}

/**
 * The error of a service that opens no other attempt while one is open, where the poll shows that nothing is claimed.
 */
function inFlight(problem: Problem, { claim }: Registration): AgentError {
  const words = wordsBeside(problem, WIRE_CODES.claim.claimed_or_in_flight.description);
  const isOpen = claim?.attempt?.ended === null;
  return new AgentError(
    `The service opens no other attempt of this claim while one is open.${words}`,
    {
      code: 'claimed_or_in_flight',
      hint: isOpen
        ? 'Wait for the user to complete the one that is open.'
        : 'Wait until that one has expired, then try again.',
      next: isOpen ? { command: 'claim wait', args: [] } : undefined,
      problem,
    },
  );
}

export async function resumeClaim(
  tools: Tools,
  { service, email }: ResumeClaimRequest,
): Promise<ResumeClaimOutcome> {
  const inUse = await takeIntoUse(tools, service);
  const { record, registration, peer } = inUse;
  readClaimEmail(registration, email);
  // Its answer shows the server's time, by which the windows are judged.
  const at = await reachService(tools, record);
  await keepClock(tools, inUse);
  switch (registrationState(registration, peer.now())) {
    case 'claimed':
      return { status: 'already_claimed', registration };
    case 'pending':
      return openClaim(inUse, at, registration, true) ?? { status: 'not_started', registration };
    case 'lapsed':
      return { status: wasDenied(registration) ? 'denied' : 'attempt_expired', registration };
    case 'expired':
      return { status: registration.claimed ? 'already_claimed' : 'window_over', registration };
    case 'revoked':
      return { status: 'revoked', registration };
    case 'unclaimed':
      if (registration.claim === null) throw noClaim(registration);
      return { status: 'not_started', registration };
  }
}

/** The open attempt of a registration, for a screen; `undefined` when there is none. */
function openClaim(
  { peer }: Pick<InUse, 'peer'>,
  service: Service,
  registration: Registration,
  resumed: boolean,
): ClaimOpen | undefined {
  const attempt = registration.claim?.attempt;
  if (!attempt) return undefined;
  const ceremony = ceremonyOf(attempt, registration, peer.now());
  const warnings = unpolledWarnings(service, registration);
  return { status: 'open', registration, ceremony, resumed, warnings };
}

/** What the service answered, and whom the ID-JAG names; `null`: nobody by an email address. */
interface Presented {
  readonly result: AttemptResult;
  readonly email: string | null;
}

/**
 * Claims with an ID-JAG that is minted for it: no code, no page (version 0.7).
 * @throws AgentError `login_needed` or `consent_needed` when the provider wants its user first.
 */
async function claimByIdJag(
  tools: Tools,
  service: Service,
  claimable: Registration & Claimable,
  provider: string,
): Promise<Presented> {
  const presented = await withIdJag<Presented>(
    tools,
    service,
    { provider },
    {
      present: async (assertion, { email }) => {
        // One for another user than the registration belongs to is not shown.
        readClaimEmail(claimable, email ?? undefined);
        const claimer = { by: 'identity_assertion', assertion } as const;
        return { result: await requestAttempt(tools, service, claimable, claimer), email };
      },
      isUsedUp: ({ result }) => result.kind === 'problem' && result.problem.move === 'mint',
    },
  );
  const cannot = 'The registration cannot be claimed so';
  if ('status' in presented) throw userNeeded(presented, provider, service, cannot);
  const problem = presented.result.kind === 'problem' ? presented.result.problem : undefined;
  if (problem?.move === 'sign_in') {
    throw userNeeded(loginRequired(provider, 'service'), provider, service, cannot).with({
      problem,
    });
  }
  if (problem?.code === 'invalid_request') throw notByIdJag(problem);
  return presented;
}

/** A service of an earlier version, most likely: what it takes is an email address. */
function notByIdJag(problem: Problem): Error {
  return problemError(problem, { command: 'claim', args: ['--email', 'EMAIL'] }).with({
    hint: 'Perhaps the service takes no ID-JAG for a claim: name the email address of the user instead.',
  });
}

/**
 * The email address that a claim is to name, checked: only an anonymous registration can be taken over
 * by another user than it names, and only until its claim is complete (wire contract §4).
 * @throws AgentError `bad_email`; for another one than is on record `email_fixed`, or
 *   `already_claimed` where it could be changed before.
 */
function readClaimEmail(registration: Registration, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const email = requireEmail(given);
  const owner = fixedEmail(registration);
  if (owner !== null && owner !== email) throw emailFixed(registration, owner, email);
  return email;
}

/** The email address that cannot be changed any more; `null` where it can, or is not known. */
function fixedEmail(registration: Registration): string | null {
  if (registration.type === 'anonymous' && !registration.claimed) return null;
  const owner = userOf(registration);
  return owner === null ? null : (normalizeEmail(owner) ?? owner);
}

function emailFixed(registration: Registration, owner: string, other: string): AgentError {
  const { id, type, resource, claimed } = registration;
  const whose = claimed ? 'belongs to' : 'is for';
  return new AgentError(
    `The registration ${id} ${whose} ${displayText(owner, 254)}, which cannot be changed. Nothing was sent.`,
    {
      // One that could be taken over by anybody was: that is no wrong usage.
      code: type === 'anonymous' ? 'already_claimed' : 'email_fixed',
      hint: `Register for ${other}.`,
      next: { command: 'register', args: [resource, '--email', other] },
    },
  );
}
