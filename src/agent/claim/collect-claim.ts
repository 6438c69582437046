import { SECOND } from '../../protocol/index.ts';
import type { Problem } from '../agent-error.ts';
import { exchange } from '../exchange/exchange.ts';
import { pause } from '../http/send-patiently.ts';
import type { OpenClaim, Registration, Service } from '../model.ts';
import type { EndedClaim } from '../outcomes.ts';
import { reload } from '../records/in-use.ts';
import type { Tools } from '../tools.ts';
import { canPoll, isNotHonoured, type PollNow, pollOnce } from './poll-claim.ts';
import { type ClaimedNow, claimedInStore, settleClaimed, settleRevoked } from './settle-claim.ts';

/** One poll of the claim grant; `undefined` where there is none, or the service does not honour what it lists. */
export async function collect(
  tools: Tools,
  service: Service,
  registration: Registration,
  claim: OpenClaim,
  signal: AbortSignal | undefined,
): Promise<PollNow | undefined> {
  if (!canPoll(service)) return undefined;
  try {
    return await pollOnce(tools, service, registration, claim, signal);
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
export async function settleAlready(
  tools: Tools,
  service: Service,
  registration: Registration,
  claim: OpenClaim,
  signal: AbortSignal | undefined,
): Promise<ClaimedNow | EndedClaim<'revoked'>> {
  const polled = await collect(tools, service, registration, claim, signal);
  if (polled?.status === 'claimed') return polled;
  const nothing = { assertion: null, token: null, warnings: [] };
  if (registration.token?.direct) return settleClaimed(tools, service, registration, nothing);
  const { assertion } = registration;
  if (assertion !== null) {
    const result = await exchange(tools, service, registration, assertion, signal);
    if (result.kind === 'token') {
      const { token, warnings } = result;
      return settleClaimed(tools, service, registration, { assertion: null, token, warnings });
    }
  }
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const stored = await reload(tools, registration);
    const collected = stored && claimedInStore(stored);
    if (collected !== undefined) return collected;
    await pause(tools.context, LOOK_EVERY, signal);
  }
  return settleRevoked(tools, registration);
}
