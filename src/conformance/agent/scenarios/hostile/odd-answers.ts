import {
  type AgentWorld,
  agentScenario,
  changeMembers,
  changeText,
  ending,
  type ObservedRun,
  ofKind,
  refusal,
} from '../../agent-world.ts';
import type { Rule } from '../../peer.ts';
import type { RequestKind } from '../../received-request.ts';
import type { ServicePeer } from '../../service-peer.ts';
import {
  EndlessBody,
  endedInTime,
  MEGABYTE,
  type Slowness,
  slowFirst,
  slowly,
  TOO_LARGE,
} from '../../steps/odd-bodies.ts';
import { resourceDocument, runAt } from '../../steps/publish-discovery.ts';
import { atMost, without } from '../../steps/rows.ts';
import { need, needPolls } from '../../steps/traffic.ts';

/** Deep enough to overflow the stack of a recursive reader. */
const DEPTH = 100_000;
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
/** More than thirty years, in seconds. */
const FOR_EVER = 1_000_000_000;

const KINDS = ['identity', 'exchange'] as const;
const LIFETIMES = [0, -1, 1e12, 'soon', null];

export const oddAnswers = agentScenario({
  id: 'agent-odd-answers',
  title: 'The identity and the token endpoint answer with malicious members',
  checks: {
    prototype: 'The agent uses no token from a member named `__proto__`.',
    survives: 'The agent survives deeply nested, doubled and huge members in these answers.',
    endless: 'The agent stops reading such an answer before it has read 64 MB.',
    lifetimes: 'The agent exchanges no token again and again, whatever its `expires_in`.',
    'retry-after': 'The agent ends in time, whatever `Retry-After` it is given.',
  },
  resting: {
    'agent-odd-metadata.prototype': ['prototype'],
    'agent-odd-metadata.survives': ['survives'],
  },
  blockedBy: ['agent-call.calls'],
  costly: true,
  async run(judge, world) {
    const { invented } = world;
    const token = invented.token();
    const proto = await callAt(
      world,
      'exchange',
      withText(`{"token_type":"Bearer","expires_in":600,"__proto__":{"access_token":"${token}"}}`),
    );
    const used = proto.traffic.find(({ bearer }) => bearer === token);
    judge.table(proto, { prototype: without(used, 'a call with that token') });

    const member = invented.member();
    const texts = [
      ['deep', `"${member}":${DEEP}`],
      ['doubled', `"${member}":1,"${member}":2`],
      ['huge', `"${member}":1e999999,"${invented.word()}":${'9'.repeat(5000)}`],
    ] as const;
    const survives = KINDS.flatMap((kind) =>
      texts.map(
        ([what, text]): Attempt =>
          async (beside) => {
            const run = await callAt(beside, kind, withMember(text));
            const ok = !run.killed && run.exitCode !== null;
            judge.expect('survives', ok, ending(run), { case: `${what} members, ${kind}` });
          },
      ),
    );
    const ends = KINDS.map(
      (kind): Attempt =>
        async (beside) => {
          const endless = new EndlessBody();
          const run = await callAt(beside, kind, () => endless.answer());
          const ok = endless.sent <= TOO_LARGE && !run.killed;
          const seen = `It read ${Math.floor(endless.sent / MEGABYTE)} MB.`;
          judge.expect('endless', ok, seen, { case: kind });
        },
    );
    const lifetimes = LIFETIMES.map(
      (lifetime): Attempt =>
        async (beside) => {
          const run = await callAt(beside, 'exchange', changeMembers({ expires_in: lifetime }));
          const row = atMost(3, 'exchange', ofKind(run.traffic, 'exchange'), run);
          judge.table(run, { lifetimes: row }, { case: `expires_in ${JSON.stringify(lifetime)}` });
        },
    );
    const busy: Attempt = async (beside) => {
      const error = { error: 'temporarily_unavailable' };
      const waited = await callAt(beside, 'identity', () =>
        refusal(503, error, { 'retry-after': String(FOR_EVER) }),
      );
      const ended = { ok: !waited.killed, seen: ending(waited), case: `Retry-After: ${FOR_EVER}` };
      judge.table(waited, { 'retry-after': ended });
    };
    const attempts = [...survives, ...ends, ...lifetimes, busy];
    await world.eachBeside(attempts, (beside, attempt) => attempt(beside));
  },
});

type Attempt = (beside: AgentWorld) => Promise<void>;

/** Runs the agent where a rule changes the answers of one kind. */
async function callAt(world: AgentWorld, kind: RequestKind, rule: Rule) {
  const service = await world.service();
  service.on(kind, rule);
  const run = await world.run('call', { service });
  need(service.requests(kind)[0], 'The agent did not get as far', run);
  return run;
}

function withText(text: string): Rule {
  return () => new Response(text, { headers: { 'content-type': 'application/json' } });
}

/** Adds a member, as it is written, to a right answer. */
function withMember(member: string): Rule {
  return changeText((text) => `${text.trimEnd().slice(0, -1)},${member}}`);
}

export const slowMetadata = agentScenario({
  id: 'agent-slow-metadata',
  title: 'Metadata begins at once and does not end',
  checks: {
    stalls: 'The agent gives up on metadata that stalls after its headers, or asks again.',
    trickles: 'The agent gives up on metadata that comes a byte a second, or asks again.',
  },
  resting: { 'agent-large-answers.silent': ['stalls'], 'agent-slow-metadata.stalls': ['trickles'] },
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
  resting: {
    'agent-large-answers.silent': ['registration'],
    'agent-slow-metadata.stalls': ['registration'],
    'agent-slow-answers.registration': ['token'],
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
  resting: {
    'agent-large-answers.silent': ['stalls'],
    'agent-slow-metadata.stalls': ['stalls'],
    'agent-slow-polls.stalls': ['trickles'],
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
  need(service.requests(kind)[0], 'The agent did not reach the slow answer', run);
  return run;
}
