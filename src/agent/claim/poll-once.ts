import { AgentError } from '../agent-error.ts';
import type { OpenClaim, Registration, Service } from '../model.ts';
import type { EndedClaim } from '../outcomes.ts';
import { SLOWER } from '../polling/next-poll.ts';
import { problemError } from '../problems/problem-error.ts';
import type { Tools } from '../tools.ts';
import { pollClaim } from './poll-claim.ts';
import {
  type ClaimedNow,
  keepInterval,
  keepQuiet,
  settleClaimed,
  settleDenied,
  settleExpired,
  settleRevoked,
} from './settle-claim.ts';

export interface StillPending {
  readonly status: 'pending';
  readonly registration: Registration;
}

/** `lapsed`: the service said `expired_token`, also of an attempt that its user had refused. */
export type PollNow = ClaimedNow | (EndedClaim & { readonly lapsed?: true }) | StillPending;

/**
 * Asks once whether a claim is complete, and stores what the answer means.
 * @throws AgentError `unreachable` or `server_error` when the service does not say.
 */
export async function pollOnce(
  tools: Tools,
  service: Service,
  registration: Registration,
  claim: OpenClaim,
  signal?: AbortSignal,
): Promise<PollNow> {
  const outcome = await pollClaim(tools, service, { id: registration.id, claim }, signal);
  switch (outcome.kind) {
    case 'done':
      return settleClaimed(tools, registration, outcome.value);
    case 'expired':
      return { ...(await settleExpired(tools, registration)), lapsed: true };
    case 'denied':
      return settleDenied(tools, registration);
    case 'gone':
      return settleRevoked(tools, registration);
    case 'pending':
      return { status: 'pending', registration: await keepQuiet(tools, registration) };
    case 'slow_down': {
      const interval = (claim.attempt?.interval ?? 0) + SLOWER;
      return { status: 'pending', registration: await keepInterval(tools, registration, interval) };
    }
    case 'trouble':
      if (outcome.refusal !== undefined) throw problemError(outcome.refusal);
      throw new AgentError(
        outcome.status === null
          ? 'The service did not answer whether the claim is complete.'
          : `The service answered ${outcome.status} when asked whether the claim is complete.`,
        {
          code: outcome.status === null ? 'unreachable' : 'server_error',
          hint: 'Try again later.',
        },
      );
  }
}
