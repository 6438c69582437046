import { AgentError } from '../agent-error.ts';
import type { ClaimGrant } from '../dialects/dialect.ts';
import { reachService } from '../discovery/reach-service.ts';
import type { ClaimOutcome } from '../outcomes.ts';
import { leftOf, type PollOutcome } from '../polling/next-poll.ts';
import { runPollLoop } from '../polling/poll-loop.ts';
import { ceremonyOf } from '../records/ceremony-of.ts';
import { type InUse, reload, takeIntoUse } from '../records/in-use.ts';
import { isOver } from '../records/registration-state.ts';
import { notRegistered } from '../records/select-service.ts';
import type { WaitForClaimRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { claimNotStarted, codeNeeded, endedClaim, noClaim } from './no-claim.ts';
import { pollClaim, pollOnce } from './poll-claim.ts';
import {
  type ClaimedNow,
  claimedInStore,
  keepPace,
  overByTime,
  settlePoll,
} from './settle-claim.ts';

export async function waitForClaim(
  tools: Tools,
  request: WaitForClaimRequest,
): Promise<ClaimOutcome> {
  const inUse = await takeIntoUse(tools, request.service);
  const { registration } = inUse;
  const over = claimedInStore(registration) ?? endedClaim(registration);
  if (over !== undefined) return over;
  try {
    return await wait(tools, inUse, request);
  } catch (error) {
    // Wherever the signal comes, it ends the wait and not the claim.
    if (!(error instanceof AgentError) || error.code !== 'aborted') throw error;
    return { status: 'aborted', registration: (await reload(tools, registration)) ?? registration };
  }
}

async function wait(
  tools: Tools,
  inUse: InUse,
  request: WaitForClaimRequest,
): Promise<ClaimOutcome> {
  const { record, peer } = inUse;
  let { registration } = inUse;
  if (registration.claim === null) throw noClaim(registration);
  await tools.store.probeWritable();
  const service = await reachService(tools, record);
  const { attempt } = registration.claim;
  if (attempt === null) throw claimNotStarted();
  if (attempt.kind === 'read_back') throw codeNeeded(attempt);
  if (attempt.ended !== null || isOver(attempt.expiresAt, peer.now())) {
    // Nothing is left to wait for, but the user may have been in time while nobody waited.
    const polled = await pollOnce({ tools, service, registration, claim: registration.claim });
    return polled.status === 'pending' ? overByTime(tools, polled.registration) : polled;
  }

  const poll = async (): Promise<PollOutcome<ClaimGrant | ClaimedNow>> => {
    // Another process may have collected the claim, opened another attempt, or removed it all.
    const now = await reload(tools, registration);
    if (now === undefined) throw notRegistered(record.resource);
    registration = now;
    const collected = claimedInStore(now);
    if (collected !== undefined) return { kind: 'done', value: collected };
    if (now.claim === null) return { kind: 'gone' };
    const outcome = await pollClaim({ tools, service, registration: now, claim: now.claim });
    if (outcome.kind === 'pending') registration = await keepPace(tools, now);
    return outcome;
  };

  const { clock } = tools.context;
  const began = clock.now();
  const left = () => request.timeout && Math.max(0, request.timeout - (clock.now() - began));
  const end = await runPollLoop(tools, {
    interval: attempt.interval,
    firstWait: leftOf(attempt, peer.now()),
    remaining: () => (registration.claim?.attempt?.expiresAt ?? attempt.expiresAt) - peer.now(),
    poll,
    onSlowDown: async (interval) => {
      registration = await keepPace(tools, registration, { interval });
    },
    timeout: request.timeout,
    onEvent: request.onEvent,
  });
  switch (end.kind) {
    case 'done':
      // Stored already where another process collected it.
      if ('status' in end.value) return end.value;
      return settlePoll({ tools, service, registration }, { kind: 'done', value: end.value });
    case 'expired':
    case 'denied':
    case 'gone':
      return settlePoll({ tools, service, registration }, end);
    case 'deadline': {
      // Another attempt may have been opened meanwhile: the user has its code now.
      const now = registration.claim?.attempt ?? attempt;
      if (now.expiresAt === attempt.expiresAt) return overByTime(tools, registration);
      return wait(tools, { ...inUse, registration }, { ...request, timeout: left() });
    }
    case 'aborted':
      return { status: 'aborted', registration };
    case 'timeout':
      // Short waits in a row must come to a poll, too.
      registration = await keepPace(tools, registration, { wait: end.nextPollIn });
      return {
        status: 'pending',
        registration,
        ceremony: ceremonyOf(registration.claim?.attempt ?? attempt, registration, peer.now()),
        ...(end.unanswered !== undefined && { unanswered: end.unanswered }),
      };
  }
}
