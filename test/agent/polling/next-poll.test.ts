import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstPoll,
  nextPoll,
  type PollState,
  type UnfinishedPoll,
} from '../../../src/agent/polling/next-poll.ts';

const start: PollState = { interval: 5000, troubles: 0 };
const long = 600_000;
const lost = { kind: 'trouble', status: null, retryAfter: undefined } as const;
const busy = (retryAfter?: number) => ({ kind: 'trouble', status: 503, retryAfter }) as const;

describe('what follows a poll', () => {
  it.each<[what: string, outcomes: UnfinishedPoll[], waits: number[]]>([
    ['pending keeps the interval', [{ kind: 'pending' }, { kind: 'pending' }], [5000, 5000]],
    [
      'slow_down adds five seconds for good',
      [{ kind: 'slow_down' }, { kind: 'pending' }, { kind: 'slow_down' }, { kind: 'pending' }],
      [10_000, 10_000, 15_000, 15_000],
    ],
    [
      'a lost connection doubles the wait, to a minute at most',
      [lost, lost, lost, lost, lost, lost],
      [10_000, 20_000, 40_000, 60_000, 60_000, 60_000],
    ],
    [
      'an answer ends the doubling',
      [lost, lost, { kind: 'pending' }, lost],
      [10_000, 20_000, 5000, 10_000],
    ],
    [
      'slow_down is kept through a lost connection',
      [{ kind: 'slow_down' }, lost, { kind: 'pending' }],
      [10_000, 20_000, 10_000],
    ],
    ['a 5xx without advice waits as a lost connection', [busy(), busy()], [10_000, 20_000]],
    ['Retry-After is honoured', [busy(30_000)], [30_000]],
    ['Retry-After is no way below the interval', [busy(0), busy(1000)], [5000, 5000]],
  ])('%s', (_what, outcomes, waits) => {
    let state = start;
    const seen = outcomes.map((outcome) => {
      const step = nextPoll(state, outcome, long);
      if (step.do === 'stop') throw new Error('It stopped.');
      state = step.state;
      return step.wait;
    });
    expect(seen).toEqual(waits);
  });

  it.each(['expired', 'denied', 'gone'] as const)('stops at %s', (kind) => {
    expect(nextPoll(start, { kind }, long)).toEqual({ do: 'stop', reason: kind });
  });

  it.each([
    [5001, 'poll_after', 5000],
    [5000, 'stop_after', 5000],
    [1, 'stop_after', 1],
    [0, 'stop_after', 0],
    [-1, 'stop_after', 0],
  ])('with %i ms left it does %s, after %i ms', (remaining, what, wait) => {
    expect(firstPoll(5000, remaining)).toMatchObject({ do: what, wait });
    expect(nextPoll(start, { kind: 'pending' }, remaining)).toMatchObject({ do: what, wait });
  });
});

const outcome = fc.oneof(
  fc.constant<UnfinishedPoll>({ kind: 'pending' }),
  fc.constant<UnfinishedPoll>({ kind: 'slow_down' }),
  fc.record({
    kind: fc.constant('trouble' as const),
    status: fc.constantFrom(null, 429, 500, 503),
    retryAfter: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
  }),
);

describe('any run of polls', () => {
  const run = (interval: number, window: number, outcomes: readonly UnfinishedPoll[]) => {
    const waits: { wait: number; interval: number }[] = [];
    let elapsed = 0;
    let step = firstPoll(interval, window);
    for (const each of outcomes) {
      elapsed += step.wait;
      waits.push({ wait: step.wait, interval: step.state.interval });
      if (step.do === 'stop_after') break;
      const next = nextPoll(step.state, each, window - elapsed);
      if (next.do === 'stop') throw new Error('It stopped.');
      step = next;
    }
    return { waits, elapsed, last: step };
  };
  const inputs = [
    fc.integer({ min: 1000, max: 60_000 }),
    fc.integer({ min: 1, max: 3_600_000 }),
    fc.array(outcome, { maxLength: 60 }),
  ] as const;

  it('never polls sooner than its interval, nor at or after the deadline', () => {
    fc.assert(
      fc.property(...inputs, (interval, window, outcomes) => {
        const { waits, elapsed, last } = run(interval, window, outcomes);
        expect(elapsed).toBeLessThanOrEqual(window);
        const polls = last.do === 'stop_after' ? waits.slice(0, -1) : waits;
        for (const each of polls) expect(each.wait).toBeGreaterThanOrEqual(each.interval);
      }),
    );
  });

  it('has an interval of the first plus five seconds for each slow_down so far', () => {
    fc.assert(
      fc.property(...inputs, (interval, _window, outcomes) => {
        const { last } = run(interval, Number.MAX_SAFE_INTEGER, outcomes);
        const slower = outcomes.filter(({ kind }) => kind === 'slow_down').length;
        expect(last.state.interval).toBe(interval + 5000 * slower);
      }),
    );
  });

  it('comes to its end', () => {
    fc.assert(
      fc.property(inputs[0], inputs[1], outcome, (interval, window, each) => {
        const { last } = run(
          interval,
          window,
          Array.from({ length: 5000 }, () => each),
        );
        expect(last.do).toBe('stop_after');
      }),
    );
  });
});
