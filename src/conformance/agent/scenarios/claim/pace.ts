import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { ending, ofKind, refusal } from '../../agent-world.ts';
import { gaps, goodCall, needPolls, seconds, TOLERANCE } from '../../steps/traffic.ts';

const pending = () => refusal(400, { error: 'authorization_pending' });

export const slowDown = agentScenario({
  id: 'agent-slow-down',
  title: 'The service asks twice to slow down',
  checks: {
    'adds-up': 'Each slow_down adds five seconds to the interval, for this and all later polls.',
  },
  async run(judge, world) {
    const service = await world.service();
    service.completeAtPoll(4);
    service.on('poll', async ({ nth }, next) => {
      if (nth === 1 || nth === 3) return refusal(400, { error: 'slow_down' });
      return nth === 2 ? pending() : next();
    });
    const run = await world.run('claim', { service });
    const polls = needPolls(run, 2);
    const least = [6000, 6000, 11_000];
    for (const [index, { ms, next }] of gaps(polls).entries()) {
      const wanted = least[index] ?? 11_000;
      judge.expect('adds-up', ms >= wanted - TOLERANCE, seconds(ms), {
        expected: `at least ${seconds(wanted)} before poll ${index + 2}: an interval of 1 s and ${index < 2 ? 'one slow_down' : 'two'}`,
        exchange: next.number,
      });
    }
    judge.expect('adds-up', polls.length >= 4, `${polls.length} polls (${ending(run)})`, {
      exchange: polls.at(-1)?.number,
    });
  },
});

export const defaultInterval = agentScenario({
  id: 'agent-default-interval',
  title: 'The claim attempt names no interval',
  checks: { 'five-seconds': 'The agent polls every five seconds when no interval is given.' },
  async run(judge, world) {
    const service = await world.service({ interval: 1 });
    service.on('claim', async (_ask, next) => {
      const reply = await next();
      if (!(reply instanceof Response) || !reply.ok) return reply;
      const body = (await reply.json()) as { claim_attempt: Record<string, unknown> };
      const { interval: _left, ...attempt } = body.claim_attempt;
      return Response.json({ ...body, claim_attempt: attempt });
    });
    service.completeAtPoll(3);
    const run = await world.run('claim', { service });
    for (const { ms, next } of gaps(needPolls(run, 2))) {
      judge.expect('five-seconds', ms >= 5000 - TOLERANCE, seconds(ms), { exchange: next.number });
    }
  },
});

export const lostPolls = agentScenario({
  id: 'agent-lost-polls',
  title: 'Connections are lost while the agent polls',
  checks: {
    'backs-off': 'The agent polls less often after a connection is lost.',
    'goes-on': 'The agent goes on after lost connections and takes what the claim brings.',
  },
  async run(judge, world) {
    const service = await world.service();
    service.completeAtPoll(5);
    service.on('poll', ({ nth }, next) => (nth === 2 || nth === 3 ? 'drop' : next()));
    const run = await world.run('claim', { service });
    const polls = needPolls(run, 2);
    const [usual, first, second] = gaps(polls);
    if (first === undefined) {
      judge.expect('goes-on', false, `none (${ending(run)})`, { exchange: polls.at(-1)?.number });
      throw new CannotTest('The agent did not poll again after a lost connection.');
    }
    for (const gap of [first, second]) {
      if (gap === undefined) continue;
      const before = Math.max(1000, usual?.ms ?? 0);
      judge.expect('backs-off', gap.ms > before + TOLERANCE, seconds(gap.ms), {
        expected: `a longer wait after a lost connection than the ${seconds(before)} before it`,
        exchange: gap.next.number,
      });
    }
    judge.expect('goes-on', goodCall(run.traffic) !== undefined, ending(run), {
      exchange: polls.at(-1)?.number,
    });
  },
});

export const endlessPending = agentScenario({
  id: 'agent-endless-pending',
  title: 'The service says authorization_pending without end',
  checks: { stops: 'The agent stops when the attempt is over by `expires_in`.' },
  async run(judge, world) {
    const service = await world.service({ userCode: 4000 });
    service.on('poll', pending);
    const run = await world.run('claim', { service, limit: 20_000 });
    const polls = needPolls(run);
    const [opened] = ofKind(run.traffic, 'claim');
    const over = (opened?.at ?? polls[0]?.at ?? 0) + 4000;
    // One that is on its way at the end is no harm.
    const late = polls.find(({ at }) => at > over + 1000 + TOLERANCE);
    judge.expect(
      'stops',
      late === undefined && !run.killed,
      run.killed ? 'It polled until it was ended.' : 'It polled on.',
      { exchange: late?.number },
    );
  },
});

const ODD_TIMES: readonly (readonly [what: string, members: Readonly<Record<string, unknown>>])[] =
  [
    ['interval 0', { interval: 0 }],
    ['a negative interval', { interval: -5 }],
    ['an interval of 10^12', { interval: 1e12 }],
    ['an interval that is no number', { interval: 'soon' }],
  ];

export const oddTimes = agentScenario({
  id: 'agent-odd-times',
  title: 'The claim attempt names times that make no sense',
  checks: {
    'no-flood': 'The agent polls at most once in a second, whatever interval it is given.',
    ends: 'The agent ends by itself, whatever times it is given.',
  },
  async run(judge, world) {
    for (const [what, members] of [
      ...ODD_TIMES,
      ['a negative expires_in', { expires_in: -1 }],
    ] as const) {
      const service = await world.service({ userCode: 3000 });
      service.on('claim', async (_ask, next) => {
        const reply = await next();
        if (!(reply instanceof Response) || !reply.ok) return reply;
        const body = (await reply.json()) as { claim_attempt: object };
        return Response.json({ ...body, claim_attempt: { ...body.claim_attempt, ...members } });
      });
      // The service says when it is over: who stops at nothing but that has stopped as well.
      const run = await world.run('claim', { service, limit: 20_000 });
      if (ofKind(run.traffic, 'claim').length === 0) throw new CannotTest('No claim was opened.');
      const polls = ofKind(run.traffic, 'poll');
      const fast = gaps(polls).find(({ ms }) => ms < 1000 - TOLERANCE);
      judge.expect('no-flood', fast === undefined, fast === undefined ? '' : seconds(fast.ms), {
        expected: `at least 1 s between two polls, with ${what}`,
        exchange: fast?.next.number,
      });
      judge.expect(
        'ends',
        !run.killed,
        // A bound of a minute is right, and longer than this run.
        'It had to be ended.',
        { expected: `an end of its own, with ${what}`, warn: members === ODD_TIMES[2]?.[1] },
      );
    }
  },
});

export const busyPolls = agentScenario({
  id: 'agent-busy-polls',
  title: 'The token endpoint is busy while the agent polls',
  checks: { waits: 'The agent waits as long as `Retry-After` says before it polls again.' },
  async run(judge, world) {
    for (const status of [503, 429]) {
      const service = await world.service();
      service.completeAtPoll(2);
      service.on('poll', ({ nth }, next) => {
        const error = status === 429 ? 'rate_limited' : 'temporarily_unavailable';
        return nth === 1 ? refusal(status, { error }, { 'retry-after': '3' }) : next();
      });
      const run = await world.run('claim', { service });
      const [gap] = gaps(needPolls(run));
      judge.expect(
        'waits',
        gap === undefined || gap.ms >= 3000 - TOLERANCE,
        seconds(gap?.ms ?? 0),
        {
          expected: `no poll within 3 s of a ${status} with Retry-After: 3`,
          exchange: gap?.next.number,
        },
      );
    }
  },
});
