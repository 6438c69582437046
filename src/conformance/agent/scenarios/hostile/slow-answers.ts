import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { type AgentWorld, ending, type ObservedRun } from '../../agent-world.ts';
import type { RequestKind } from '../../received-request.ts';
import type { ServicePeer } from '../../service-peer.ts';
import { resourceDocument } from '../../steps/publish-discovery.ts';
import { runAt } from '../../steps/run-at.ts';
import { endedInTime, type Slowness, slowFirst, slowly } from '../../steps/slow-body.ts';
import { listed, needPolls } from '../../steps/traffic.ts';

export const slowMetadata = agentScenario({
  id: 'agent-slow-metadata',
  title: 'Metadata begins at once and does not end',
  checks: {
    stalls: 'The agent gives up on metadata that stalls after its headers, or asks again.',
    trickles: 'The agent gives up on metadata that comes a byte a second, or asks again.',
  },
  restsOn: {
    stalls: 'agent-large-answers.silent',
    trickles: 'agent-slow-metadata.stalls',
  },
  blockedBy: ['agent-call.registers'],
  costly: true,
  waits: true,
  run(judge, world) {
    return world.eachBeside(['stalls', 'trickles'] as const, async (beside, slowness) => {
      let asked = 0;
      const { run } = await runAt(
        beside,
        (service) => ({
          answer: () => {
            asked += 1;
            const right = Response.json(resourceDocument(service));
            return asked === 1 ? slowly(beside, slowness, right) : right;
          },
        }),
        { fetched: 'resource' },
      );
      judge.table(run, { [slowness]: endedInTime(run) });
    });
  },
});

export const slowTokens = agentScenario({
  id: 'agent-slow-answers',
  title: 'The answer to a registration or an exchange begins at once and does not end',
  checks: {
    registration: 'The agent gives up on the answer to a registration that stalls, or asks again.',
    token: 'The agent gives up on the answer of the token endpoint that stalls, or asks again.',
  },
  restsOn: {
    registration: ['agent-large-answers.silent', 'agent-slow-metadata.stalls'],
    token: 'agent-slow-answers.registration',
  },
  blockedBy: ['agent-call.calls'],
  costly: true,
  waits: true,
  run(judge, world) {
    const cases = [
      ['registration', 'identity'],
      ['token', 'exchange'],
    ] as const;
    return world.eachBeside(cases, async (beside, [check, kind]) => {
      const run = await slowAt(beside, kind, 'stalls');
      judge.table(run, { [check]: endedInTime(run) });
    });
  },
});

export const slowPolls = agentScenario({
  id: 'agent-slow-polls',
  title: 'The answer to a poll begins at once and does not end',
  checks: {
    stalls: 'The agent gives up on a poll whose answer stalls after its headers, or polls again.',
    trickles: 'The agent gives up on a poll whose answer comes a byte a second, or polls again.',
  },
  restsOn: {
    stalls: ['agent-large-answers.silent', 'agent-slow-metadata.stalls'],
    trickles: 'agent-slow-polls.stalls',
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  waits: true,
  run(judge, world) {
    return world.eachBeside(['stalls', 'trickles'] as const, async (beside, slowness) => {
      const run = await slowAt(beside, 'poll', slowness, (service) => service.completeAtPoll(2));
      needPolls(run);
      judge.table(run, { [slowness]: endedInTime(run) });
    });
  },
});

/** Runs the agent where the first answer of this kind does not end. */
async function slowAt(
  world: AgentWorld,
  kind: RequestKind,
  slowness: Slowness,
  prepare: (service: ServicePeer) => void = () => {},
): Promise<ObservedRun> {
  const service = await world.service();
  prepare(service);
  service.on(kind, slowFirst(world, slowness));
  const run = await world.run(kind === 'poll' ? 'claim' : 'call', { service });
  if (service.requests(kind).length > 0) return run;
  throw new CannotTest(
    `The agent did not reach the slow answer: ${listed(run.traffic)} (${ending(run)}).`,
  );
}
