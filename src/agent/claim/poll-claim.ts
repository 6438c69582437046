import { SECOND, WIRE_CODES } from '../../protocol/index.ts';
import { AgentError, type AgentErrorOptions, type Problem } from '../agent-error.ts';
import type { ClaimGrant } from '../dialects/dialect.ts';
import { readPolled } from '../dialects/read-claim.ts';
import { claimPollRequest } from '../dialects/requests.ts';
import { exchange } from '../exchange/exchange.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/send-patiently.ts';
import type { DialectId, OpenClaim, Registration, Service, Warning } from '../model.ts';
import type { EndedClaim } from '../outcomes.ts';
import { type PollOutcome, type PollTrouble, SLOWER } from '../polling/next-poll.ts';
import { readPollProblem, troubleOfLoss } from '../polling/poll-loop.ts';
import { problemError, readProblem, wordsBeside } from '../problems/problem.ts';
import type { AtClaim } from '../records/at-service.ts';
import { reload } from '../records/in-use.ts';
import { ask } from '../records/keep-answer.ts';
import {
  type ClaimedNow,
  claimedInStore,
  keepPace,
  settleClaimed,
  settlePoll,
  settleRevoked,
} from './settle-claim.ts';

/** A registration whose claim is open. */
export interface Claimable
  extends Pick<Registration, 'id' | 'dialect' | 'type' | 'email' | 'assertion' | 'members'> {
  readonly claim: OpenClaim;
}

/** Whether a claim can be collected by the claim grant; else what it gives comes with the code. */
export function canPoll({ claimGrantType, tokenEndpoint }: Service): boolean {
  return claimGrantType !== undefined && tokenEndpoint !== undefined;
}

/** What is to be said before a user is sent to a page whose end this agent cannot learn. */
export function unpolledWarnings(
  service: Service,
  registration: Pick<Registration, 'claim'>,
): readonly Warning[] {
  const isTyped = registration.claim?.attempt?.kind === 'type_there';
  if (!isTyped || canPoll(service)) return [];
  return [
    {
      code: 'no_claim_grant',
      message:
        'The service shows a page and a code, and lists no claim grant: this agent cannot collect the claim once its user has completed it.',
    },
  ];
}

/** Sends one poll of the claim grant and judges the answer. */
export async function pollClaim(at: AtClaim): Promise<PollOutcome<ClaimGrant>> {
  const { tools, service, registration, claim } = at;
  const { dialect, id: registrationId, members } = registration;
  const { claimGrantType, tokenEndpoint } = service;
  if (claimGrantType === undefined || tokenEndpoint === undefined) {
    throw new AgentError('The service lists no claim grant, so a claim cannot be collected.', {
      code: 'not_offered',
      ...withoutPolls(registration),
    });
  }
  try {
    return await ask(tools, service, {
      request: claimPollRequest(tokenEndpoint, claimGrantType, claim.token),
      members,
      origin: { of: 'claimed', registrationId },
      read: (answer) => processClaimPoll(dialect, answer),
    });
  } catch (error) {
    if (isNotHonoured(error)) throw notHonoured(error, registration);
    // A later poll may get it again; what is kept is dropped then.
    return troubleOfLoss(error);
  }
}

/**
 * Judges the answer to a poll by its code alone (RFC 8628 §3.5, wire contract §6).
 * @throws AgentError for a code that ends the claim in no foreseen way (DEV-05), or an unusable answer.
 */
function processClaimPoll(dialect: DialectId, answer: Answer): PollOutcome<ClaimGrant> {
  const problem = readProblem(answer, 'token');
  if (problem === undefined) return { kind: 'done', value: readPolled(dialect, answer) };
  // Revoked, or delivered elsewhere (wire contract §8).
  if (problem.code === 'invalid_grant') return { kind: 'gone' };
  return readPollProblem(problem);
}

/** Whether a service refuses the claim grant that its metadata lists. */
function isNotHonoured(error: unknown): error is AgentError {
  return error instanceof AgentError && error.code === 'unsupported_grant_type';
}

/**
 * The step of a registration that cannot be polled: what was registered is kept, since it may reach further all the
 * same.
 */
function withoutPolls({ assertion }: Registration): Pick<AgentErrorOptions, 'hint' | 'next'> {
  if (assertion === null) {
    return {
      hint: 'The registration is kept. Ask the service how a completed claim is collected.',
    };
  }
  return {
    hint: 'The registration is kept. Once the user has completed the claim, a new token may reach further.',
    next: { command: 'token', args: ['--renew'] },
  };
}

function notHonoured({ problem }: AgentError, registration: Registration): AgentError {
  const ours = WIRE_CODES.token.unsupported_grant_type.description;
  const words = problem === undefined ? '' : wordsBeside(problem, ours);
  return new AgentError(
    `The service lists the claim grant and does not take it, so that a completed claim cannot be collected by polling.${words}`,
    {
      code: 'unsupported_grant_type',
      ...withoutPolls(registration),
      problem,
    },
  );
}

interface StillPending {
  readonly status: 'pending';
  readonly registration: Registration;
}

export type PollNow = ClaimedNow | EndedClaim | StillPending;

/**
 * Asks once whether a claim is complete, and stores what the answer means.
 * @throws AgentError `unreachable` or `server_error` when the answer does not tell.
 */
export async function pollOnce(at: AtClaim): Promise<PollNow> {
  const { tools, registration, claim } = at;
  const outcome = await pollClaim(at);
  switch (outcome.kind) {
    case 'pending':
      return { status: 'pending', registration: await keepPace(tools, registration) };
    case 'slow_down': {
      const { attempt } = claim;
      const interval = (attempt?.kind === 'type_there' ? attempt.interval : 0) + SLOWER;
      return { status: 'pending', registration: await keepPace(tools, registration, { interval }) };
    }
    case 'trouble':
      throw undecided(outcome);
    case 'done':
    case 'expired':
    case 'denied':
    case 'gone':
      return settlePoll(at, outcome);
  }
}

/** An answer that does not tell whether the claim is complete. */
function undecided({ refusal, status }: PollTrouble): AgentError {
  if (refusal !== undefined) return problemError(refusal);
  return new AgentError(
    status === null
      ? 'The service did not answer whether the claim is complete.'
      : `The service answered ${status} when asked whether the claim is complete.`,
    { code: status === null ? 'unreachable' : 'server_error', hint: 'Try again later.' },
  );
}

/** One poll of the claim grant; `undefined` where there is none, or the service does not honour what it lists. */
export async function collect(at: AtClaim): Promise<PollNow | undefined> {
  if (!canPoll(at.service)) return undefined;
  try {
    return await pollOnce(at);
  } catch (error) {
    if (isNotHonoured(error)) return undefined;
    throw error;
  }
}

/** Whether a refusal says that the claim is complete; the list's own code may mean one in flight, too. */
export function saysClaimed({ move, code, sent }: Problem): boolean {
  return move === 'poll_claim' && sent !== code;
}

/** How often, and how many times, the store is looked at before a claim counts as delivered elsewhere. */
const LOOK_EVERY = SECOND / 2;
const LOOKS = 4;

/**
 * The claim is complete, and what it gave was not delivered here: its answer was lost, or went to another process
 * or agent. What is left of it is tried: a poll, what the registration has, and what another process stores.
 */
export async function settleAlready(at: AtClaim): Promise<ClaimedNow | EndedClaim<'revoked'>> {
  const { tools, registration } = at;
  const polled = await collect(at);
  if (polled?.status === 'claimed') return polled;
  const nothing = { assertion: null, token: null, warnings: [] };
  if (registration.token?.direct) return settleClaimed(at, nothing);
  const { assertion } = registration;
  if (assertion !== null) {
    const result = await exchange(at, assertion);
    if (result.kind === 'token') {
      const { token, warnings } = result;
      return settleClaimed(at, { assertion: null, token, warnings });
    }
  }
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const stored = await reload(tools, registration);
    const collected = stored && claimedInStore(stored);
    if (collected !== undefined) return collected;
    await pause(tools, LOOK_EVERY);
  }
  return settleRevoked(tools, registration);
}
