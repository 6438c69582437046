import { CannotTest, type Reading } from '../../../engine/judge.ts';
import { agentScenario, changeAttempt, ending, ofKind, refusal } from '../../agent-world.ts';
import { called, noneEarlier, pauses } from '../../steps/rows.ts';
import {
  type Gap,
  gaps,
  needAttempts,
  needPolls,
  seconds,
  TOLERANCE,
} from '../../steps/traffic.ts';

const pending = () => refusal(400, { error: 'authorization_pending' });

export const slowDown = agentScenario({
  id: 'agent-slow-down',
  title: 'The service asks twice to slow down',
  checks: {
    'adds-up': 'Each slow_down adds five seconds to the interval, for all further polls.',
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  waits: true,
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
    const waits = gaps(polls).map(({ ms, next }, index) => {
      const wanted = least[index] ?? 11_000;
      return {
        ok: ms >= wanted - TOLERANCE,
        seen: seconds(ms),
        case: `${seconds(wanted)} due after ${index < 2 ? 'one slow_down' : 'two'}`,
        exchange: next.number,
      };
    });
    const enough = {
      ok: polls.length >= 4,
      seen: `${polls.length} polls (${ending(run)})`,
      exchange: polls.at(-1)?.number,
    };
    judge.table(polls, { 'adds-up': [...waits, enough] });
  },
});

export const defaultInterval = agentScenario({
  id: 'agent-default-interval',
  title: 'The claim attempt names no interval',
  checks: {
    'five-seconds':
      'Without an interval the agent waits for at least five seconds between two polls.',
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  waits: true,
  async run(judge, world) {
    const service = await world.service({ interval: 1 });
    service.on('claim', changeAttempt({ interval: undefined }));
    service.completeAtPoll(3);
    const run = await world.run('claim', { service });
    judge.table(run, { 'five-seconds': pauses(needPolls(run, 2), 5000) });
  },
});

export const lostPolls = agentScenario({
  id: 'agent-lost-polls',
  title: 'Connections are lost while the agent polls',
  checks: {
    'backs-off': 'After a lost connection the agent waits longer before it polls.',
    'goes-on': 'After lost connections the agent polls on and calls with a token of the claim.',
  },
  resting: { 'agent-claim.keeps-polling': ['goes-on'] },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
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
    const before = Math.max(1000, usual?.ms ?? 0);
    const longer = ({ ms, next }: Gap): Reading => ({
      ok: ms > before + TOLERANCE,
      seen: `${seconds(ms)}, after ${seconds(before)} before the loss`,
      exchange: next.number,
    });
    judge.table(run.traffic, {
      'backs-off': [longer(first), second && longer(second)],
      'goes-on': called(run),
    });
  },
});

export const endlessPending = agentScenario({
  id: 'agent-endless-pending',
  title: 'The service answers authorization_pending without end',
  checks: { stops: 'The agent stops polling when the attempt has expired by its `expires_in`.' },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  async run(judge, world) {
    const service = await world.service({ userCode: 4000 });
    service.on('poll', pending);
    const run = await world.run('claim', { service, limit: 20_000 });
    const polls = needPolls(run);
    const [opened] = ofKind(run.traffic, 'claim');
    const over = (opened?.at ?? polls[0]?.at ?? 0) + 4000;
    // A poll may be under way when the attempt expires.
    const late = polls.find(({ at }) => at > over + 1000 + TOLERANCE);
    judge.table(run.traffic, {
      stops: {
        ok: late === undefined && !run.killed,
        seen: run.killed ? 'It polled until it was killed.' : 'It polled on.',
        exchange: late?.number,
      },
    });
  },
});

const ODD_TIMES: readonly (readonly [what: string, members: Readonly<Record<string, unknown>>])[] =
  [
    ['interval 0', { interval: 0 }],
    ['a negative interval', { interval: -5 }],
    ['an interval of 10^12', { interval: 1e12 }],
    ['an interval that is not a number', { interval: 'soon' }],
  ];

const CAPPED = 'An agent may cut a huge interval to a minute, which is longer than this run.';

export const oddTimes = agentScenario({
  id: 'agent-odd-times',
  title: 'The claim attempt has invalid times',
  checks: {
    'no-flood': 'The agent polls at most once a second, whatever the interval.',
    ends: 'The agent ends by itself, whatever the times.',
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  waits: true,
  async run(judge, world) {
    await world.controls.need('claim', 'poll');
    const cases = [...ODD_TIMES, ['a negative expires_in', { expires_in: -1 }]] as const;
    await world.eachBeside(cases, async (beside, [what, members]) => {
      const service = await beside.service({ userCode: 3000 });
      service.on('claim', changeAttempt(members));
      // The attempt expires after 3 s: an agent may also stop at expired_token.
      const run = await beside.run('claim', { service, limit: 20_000 });
      needAttempts(run);
      const polls = ofKind(run.traffic, 'poll');
      const reading = members === ODD_TIMES[2]?.[1] ? CAPPED : undefined;
      const rows = {
        'no-flood': noneEarlier(polls, 1000),
        ends: { ok: !run.killed, seen: 'It had to be killed.', reading },
      };
      judge.table(polls, rows, { case: what });
    });
  },
});

export const busyPolls = agentScenario({
  id: 'agent-busy-polls',
  title: 'The token endpoint is busy while the agent polls',
  checks: { waits: 'The agent waits for `Retry-After` before it polls again.' },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  run(judge, world) {
    return world.eachBeside([503, 429], async (beside, status) => {
      const service = await beside.service();
      service.completeAtPoll(2);
      service.on('poll', ({ nth }, next) => {
        const error = status === 429 ? 'rate_limited' : 'temporarily_unavailable';
        return nth === 1 ? refusal(status, { error }, { 'retry-after': '3' }) : next();
      });
      const run = await beside.run('claim', { service });
      const first = needPolls(run).slice(0, 2);
      const answer = `${status} with Retry-After: 3`;
      judge.table(first, { waits: noneEarlier(first, 3000) }, { case: answer });
    });
  },
});
