import { type AgentWorld, agentScenario, ofKind, refusal } from '../../agent-world.ts';
import type { ServicePeer } from '../../service-peer.ts';
import { invalidToken } from '../../steps/ended-access.ts';
import { none, tellsFailure } from '../../steps/rows.ts';
import { goodCall, need, needTraffic, registrations } from '../../steps/traffic.ts';

interface Ending {
  readonly what: string;
  readonly type: 'anonymous' | 'service_auth';
  /** What the agent does first. */
  readonly first: 'call' | 'begin' | 'claim';
  readonly end: (service: ServicePeer) => Promise<void> | void;
  /** What it is asked for then. Its user is not there to agree to anything. */
  readonly next: 'call' | 'claim' | 'resume';
}

const ENDINGS: readonly Ending[] = [
  {
    what: 'a revocation before any claim',
    type: 'anonymous',
    first: 'call',
    end: revokeAll,
    next: 'call',
  },
  {
    what: 'a revocation after a claim',
    type: 'anonymous',
    first: 'claim',
    end: revokeAll,
    next: 'call',
  },
  {
    what: 'a revocation of a registration by email',
    type: 'service_auth',
    first: 'claim',
    end: revokeAll,
    next: 'call',
  },
  {
    what: 'a claim that its user refused',
    type: 'anonymous',
    first: 'begin',
    end: (service) => service.deny(),
    next: 'resume',
  },
  {
    what: 'the end of the time to claim',
    type: 'anonymous',
    first: 'begin',
    end: (service) => {
      service.on('poll', () => refusal(400, { error: 'expired_token' }));
      service.on('claim', () => refusal(410, { error: 'claim_expired' }));
    },
    next: 'claim',
  },
];

/** Makes the service know nothing, from now on, of what the agent holds. */
function revokeAll(service: ServicePeer): void {
  service.on(['exchange', 'poll'], () => refusal(400, { error: 'invalid_grant' }));
  service.on('claim', () => refusal(410, { error: 'claim_expired' }));
  service.onCall(() => invalidToken(service));
}

export const endedAccess = agentScenario({
  id: 'agent-ended-access',
  title: 'What the agent holds is over: revoked, refused by its user, or expired',
  checks: {
    'same-identity':
      'However its access ended, the agent does not register again without asking its user.',
    tells:
      'The agent reports that its access has ended: by its output, and by an exit code other than 0.',
  },
  blockedBy: ['agent-call.calls'],
  run(judge, world) {
    return world.eachBeside(ENDINGS, async (beside, { what, type, first, end, next }) => {
      const service = await beside.service();
      if (!(await getsAccess(beside, service, { type, first }))) return;
      await end(service);
      const run = await beside.runIfKnown(next, { service, type, limit: 30_000 });
      if (run === undefined) return;
      needTraffic(run);
      const rows = {
        'same-identity': none(registrations(run.traffic)),
        // What the agent may do without a claim goes on after a refusal.
        tells: end === revokeAll ? tellsFailure(run) : undefined,
      };
      judge.table(run, rows, { case: what });
    });
  },
});

/** Whether the agent is where its access can end. @throws CannotTest when it can do the task, and failed. */
async function getsAccess(
  world: AgentWorld,
  service: ServicePeer,
  { type, first }: Pick<Ending, 'type' | 'first'>,
): Promise<boolean> {
  if (first === 'claim') service.completeAtPoll(1);
  const run = await world.runIfKnown(first, { service, type });
  if (run === undefined) return false;
  const isThere =
    first === 'begin'
      ? ofKind(run.traffic, 'claim').some(({ answer }) => answer?.status === 200)
      : goodCall(run.traffic) !== undefined;
  need(isThere, 'The agent got no access that could end', run);
  return true;
}
