import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/conformance/engine/catalog.ts';
import type { ScenarioResult } from '../../../src/conformance/engine/model.ts';
import {
  type Progress,
  type RunOptions,
  runScenarios,
} from '../../../src/conformance/engine/runner.ts';
import { type Scenario, scenariosOf } from '../../../src/conformance/engine/scenario.ts';
import type { Waiter } from '../../../src/conformance/engine/turn.ts';
import { FakeClock } from '../../../src/runtime/index.ts';

/** What a scenario does, step by step: it says a word, or waits until it is woken. */
interface Stage {
  say(word: string): void;
  wait(): Promise<void>;
}

const scenario = scenariosOf<Stage>();

/** Scenarios that note what they do, and wait until the test wakes them by their id. */
function stage(
  stories: Readonly<Record<string, (stage: Stage) => Promise<unknown>>>,
  options: Partial<RunOptions<Stage>> & {
    readonly alone?: readonly string[];
    readonly last?: readonly string[];
  } = {},
) {
  const { alone = [], last = [], ...rest } = options;
  const said: string[] = [];
  const told: ScenarioResult[] = [];
  const progress: Progress[] = [];
  const asleep = new Map<string, (() => void)[]>();
  const stageOf = (id: string, waiter: Waiter): Stage => ({
    say: (word) => said.push(`${id} ${word}`),
    wait: () =>
      waiter.away(
        () =>
          new Promise((resolve) => {
            said.push(`${id} waits`);
            asleep.set(id, [...(asleep.get(id) ?? []), resolve]);
          }),
      ),
  });
  const scenarios: readonly Scenario<Stage>[] = Object.entries(stories).map(([id, story]) =>
    scenario({
      id,
      title: `Scenario ${id}`,
      checks: { holds: 'It holds.' },
      alone: alone.includes(id),
      evenWhenGone: last.includes(id),
      run: async (judge, world) => {
        judge.expect('holds', (await story(world)) !== false, 'a flicker');
      },
    }),
  );
  const running = runScenarios<Stage>({
    scenarios,
    world: (_recorder, { id }, waiter) => stageOf(id, waiter),
    catalog: new Catalog([]),
    clock: new FakeClock(),
    together: true,
    onResult: (result) => told.push(result),
    onProgress: (each) => progress.push(each),
    ...rest,
  });
  /** Ends the first wait of a scenario, and lets everything run that can. */
  const wake = async (id: string): Promise<void> => {
    asleep.get(id)?.shift()?.();
    await settled();
  };
  return { running, said, told, progress, wake };
}

/** Long after every promise that is due. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const idsOf = (results: readonly ScenarioResult[]) => results.map(({ id }) => id);
const statusesOf = (results: readonly ScenarioResult[]) =>
  results.flatMap(({ checks }) => checks.map(({ status }) => status));

const waiting = async ({ say, wait }: Stage): Promise<void> => {
  say('begins');
  await wait();
  say('ends');
};
const short = async ({ say }: Stage): Promise<void> => say('runs');

describe('scenarios that wait together', () => {
  it('run while others wait, and are reported in their order', async () => {
    const { running, said, told, wake } = stage({ a: waiting, b: short, c: waiting });
    await settled();
    expect(said).toEqual(['a begins', 'a waits', 'b runs', 'c begins', 'c waits']);
    await wake('c');
    expect(told).toEqual([]);
    await wake('a');
    expect(idsOf(await running)).toEqual(['a', 'b', 'c']);
    expect(idsOf(told)).toEqual(['a', 'b', 'c']);
    expect(statusesOf(told)).toEqual(['pass', 'pass', 'pass']);
  });

  it('never run at the same time: whoever is woken goes on when the lane is free, before new ones', async () => {
    let release = () => {};
    const busy = async ({ say }: Stage) => {
      say('begins');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      say('ends');
    };
    const { running, said, wake } = stage({ a: waiting, b: busy, c: short });
    await settled();
    await wake('a');
    expect(said).toEqual(['a begins', 'a waits', 'b begins']);
    release();
    await running;
    expect(said.slice(3)).toEqual(['b ends', 'a ends', 'c runs']);
  });

  it('begin with those that must be alone, whose waits nobody uses', async () => {
    const { running, said, wake } = stage({ a: short, b: waiting }, { alone: ['b'] });
    await settled();
    expect(said).toEqual(['b begins', 'b waits']);
    await wake('b');
    expect(idsOf(await running)).toEqual(['a', 'b']);
    expect(said.slice(2)).toEqual(['b ends', 'a runs']);
  });

  it('leave for the end what tells of the whole run', async () => {
    const { running, said, wake } = stage({ a: waiting, b: short }, { last: ['b'] });
    await settled();
    await wake('a');
    await running;
    expect(said).toEqual(['a begins', 'a waits', 'a ends', 'b runs']);
  });

  it('are one after another where they may not wait together', async () => {
    const { running, said, wake } = stage({ a: waiting, b: short }, { together: false });
    await settled();
    expect(said).toEqual(['a begins', 'a waits']);
    await wake('a');
    await running;
    expect(said.slice(2)).toEqual(['a ends', 'b runs']);
  });

  it('have the lane once where they wait for several things', async () => {
    const both = async (world: Stage) => {
      const one = world.wait();
      await world.wait();
      world.say('has the second');
      await one;
    };
    const { running, said, wake } = stage({ a: both, b: waiting, c: short });
    await settled();
    await wake('a');
    await wake('a');
    await wake('b');
    expect(idsOf(await running)).toEqual(['a', 'b', 'c']);
    expect(said.slice(-3)).toEqual(['c runs', 'a has the second', 'b ends']);
  });

  it('end where one cannot be run to its end, and those that wait come back', async () => {
    const broken = new Error('It cannot be reset.');
    const { running, said, wake } = stage(
      { w: waiting, x: short, y: short },
      { after: async () => Promise.reject(broken) },
    );
    const rejected = expect(running).rejects.toBe(broken);
    await settled();
    await wake('w');
    await rejected;
    expect(said).toEqual(['w begins', 'w waits', 'x runs', 'w ends']);
  });

  it('say how many have begun and wait', async () => {
    const { running, progress, wake } = stage({ a: waiting, b: waiting, c: short });
    await settled();
    await wake('a');
    await wake('b');
    await running;
    expect(progress).toEqual([
      { done: 0, total: 3, title: 'Scenario a' },
      { done: 0, total: 3, title: 'Scenario b', waiting: 1 },
      { done: 0, total: 3, title: 'Scenario c', waiting: 2 },
      { done: 1, total: 3, title: 'Scenario a', waiting: 1 },
      { done: 2, total: 3, title: 'Scenario b' },
      { done: 3, total: 3 },
    ]);
  });
});

describe('the limit of a scenario', () => {
  it('counts neither its waits nor those of others, and ends what takes longer itself', async () => {
    const clock = new FakeClock();
    const { running, wake } = stage(
      { a: waiting, b: waiting, c: () => new Promise(() => {}) },
      { clock, limit: 30 },
    );
    await settled();
    clock.advance(60_000);
    const results = running;
    await wake('a');
    await wake('b');
    expect(statusesOf(await results)).toEqual(['pass', 'pass', 'untestable']);
  });

  it('is what is left of it after a wait', async () => {
    const clock = new FakeClock();
    const slow = async ({ wait }: Stage) => {
      clock.advance(20);
      await wait();
      clock.advance(60_000);
      await wait();
      await new Promise(() => {});
    };
    const { running, wake } = stage({ a: slow }, { clock, limit: 50 });
    await settled();
    await wake('a');
    await wake('a');
    const [result] = await running;
    expect(result?.checks[0]?.reason).toMatch(/^It did not end within 0.05 seconds/);
  });

  it('leaves the duration without the time that others had the lane', async () => {
    const clock = new FakeClock();
    let release = () => {};
    const busy = async () => {
      clock.advance(2_000);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const { running, wake } = stage({ a: waiting, b: busy }, { clock });
    await settled();
    await wake('a');
    clock.advance(500);
    release();
    expect((await running).map(({ duration }) => duration)).toEqual([2_000, 2_500]);
  });
});

describe('an interruption', () => {
  it('leaves what was judged by all that had begun, in their order', async () => {
    const interrupt = new AbortController();
    const { running, told, said, wake } = stage(
      { a: short, b: waiting, c: waiting, d: () => new Promise(() => {}), e: short },
      { signal: interrupt.signal },
    );
    await settled();
    interrupt.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(idsOf(told)).toEqual(['a', 'b', 'c', 'd']);
    expect(statusesOf(told)).toEqual(['pass', 'skip', 'skip', 'skip']);
    await wake('b');
    expect(said).not.toContain('b ends');
    expect(said).not.toContain('e runs');
  });
});

describe('a repetition', () => {
  it('follows at once, and its waits are shared too', async () => {
    let runs = 0;
    const flicker = async ({ wait, say }: Stage) => {
      await wait();
      runs += 1;
      say(`run ${runs}`);
      return runs > 1;
    };
    const { running, said, wake } = stage({ a: flicker, b: waiting, c: short });
    await settled();
    await wake('a');
    await wake('b');
    await wake('a');
    expect(said.slice(4)).toEqual(['a run 1', 'a waits', 'b ends', 'a run 2']);
    expect(statusesOf(await running)).toEqual(['warn', 'pass', 'pass']);
  });
});
