import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/conformance/engine/catalog.ts';
import { type Death, type Revival, STAYS_UP } from '../../../src/conformance/engine/death-watch.ts';
import { runScenarios } from '../../../src/conformance/engine/runner.ts';
import { scenariosOf } from '../../../src/conformance/engine/scenario.ts';
import type { Selection } from '../../../src/conformance/engine/selection.ts';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import { NoAnswer } from '../../../src/conformance/http/no-answer.ts';
import type { Recorder } from '../../../src/conformance/http/recorder.ts';
import { systemClock } from '../../../src/runtime/index.ts';

const scenario = scenariosOf<World>();

/** A target that some requests end. */
class Target {
  isUp = true;
  /** It dies of a request that was given up on, when the next one comes. */
  isDoomed = false;
  starts = 0;
  start(): void {
    this.starts += 1;
    this.isUp = true;
  }
}

interface World {
  /** @throws NoAnswer when the target does not survive the path, or is gone. */
  readonly send: (path: string) => void;
}

function worldOf(target: Target, deadly: readonly string[]): (recorder: Recorder) => World {
  return (recorder) => ({
    send: (path) => {
      const url = `http://service.example${path}`;
      const begun = { from: 'suite', to: 'service', method: 'POST', url };
      const entries: ReturnType<Recorder['begin']>[] = [];
      const begin = async () => {
        entries.push(recorder.begin({ ...begun, headers: [], body: undefined }));
      };
      void (deadly.includes('/attack') && path === '/attack'
        ? recorder.oddly('an odd path', begin)
        : begin());
      if (path === '/stalled') {
        entries[0]?.fail('No answer came.');
        target.isDoomed = true;
        return;
      }
      const isDeadly = deadly.includes(path) || target.isDoomed;
      const kind = !target.isUp ? 'refused' : isDeadly ? 'broken' : undefined;
      if (kind === undefined) {
        entries[0]?.end({ status: 200, headers: [], body: '', duration: 1 });
        target.isUp = !deadly.includes(`${path}, answered`);
        return;
      }
      target.isUp = false;
      entries[0]?.fail(kind, kind === 'refused');
      throw new NoAnswer(kind, 'It is gone.');
    },
  });
}

/** Of every run here: the target, and who is told of its deaths. */
function around(target: Target, deaths: Death[], deadly: readonly string[]) {
  return {
    world: worldOf(target, deadly),
    catalog: new Catalog([]),
    clock: systemClock,
    isAlive: async () => target.isUp,
    origin: 'http://service.example',
    onDeath: (death: Death) => deaths.push(death),
  };
}

/** One scenario that sends a path before what is judged, and one after it; then a second scenario. */
async function run(deadly: readonly string[], revive: (target: Target) => Partial<Revival>) {
  const target = new Target();
  const deaths: Death[] = [];
  const results = await runScenarios<World>({
    scenarios: [
      scenario({
        id: 'a',
        title: 'First',
        checks: { early: 'It holds.', late: 'It holds, too.' },
        run: async (judge, world) => {
          judge.expect('early', true, '');
          world.send('/harmless');
          world.send('/attack');
          world.send('/last');
          judge.expect('late', true, '');
        },
      }),
      scenario({
        id: 'b',
        title: 'Second',
        checks: { works: 'It works.' },
        run: async (judge, world) => {
          world.send('/right');
          judge.expect('works', true, '');
        },
      }),
    ],
    ...around(target, deaths, deadly),
    revival: { sleep: () => Promise.resolve(), within: 20, ...revive(target) },
  });
  const statuses = Object.fromEntries(
    results.flatMap(({ checks }) => checks).map(({ id, status }) => [id, status]),
  );
  return { target, deaths, results, statuses };
}

/** Of one scenario that sends `first`, and the one that tells what ended the target, or else sends `next`. */
async function told(
  { first = '/attack', next }: { readonly first?: string; readonly next?: string },
  { selection, deadly = ['/attack'] }: { selection?: Selection; deadly?: readonly string[] } = {},
) {
  const target = new Target();
  const deaths: Death[] = [];
  const order: string[] = [];
  const results = await runScenarios<World>({
    scenarios: [
      scenario({
        id: 'a',
        title: 'An attack',
        checks: { late: 'It holds.' },
        run: async (judge, world) => {
          world.send(first);
          judge.expect('late', true, '');
        },
      }),
      scenario({
        ...STAYS_UP,
        id: 'z',
        run: async (judge, world) => {
          for (const { sentence } of deaths) judge.expect('answers', false, sentence);
          if (deaths.length === 0 && next !== undefined) world.send(next);
        },
      }),
    ],
    ...(selection && { selection }),
    ...around(target, deaths, deadly),
    onResult: ({ checks }) => order.push(...checks.map(({ id }) => id)),
    revival: { sleep: () => Promise.resolve(), within: 20 },
  });
  const checks = results.flatMap((result) => result.checks);
  expect(order).toEqual(checks.map(({ id }) => id));
  return { deaths, statuses: Object.fromEntries(checks.map(({ id, status }) => [id, status])) };
}

const statusesOf = async (selection: Selection, deadly?: readonly string[]) =>
  (await told({}, { selection, ...(deadly && { deadly }) })).statuses;

const restarted = (target: Target) => ({ sleep: async () => target.start() });

describe('a target that a request ends', () => {
  it('is waited for, what was judged stays judged, and the rest is judged as ever', async () => {
    const { target, deaths, statuses } = await run(['/attack'], restarted);
    expect(statuses).toEqual({ 'a.early': 'pass', 'a.late': 'untestable', 'b.works': 'pass' });
    expect(target.starts).toBe(1);
    expect(deaths.map(({ sentence }) => sentence)).toEqual([
      'The target stopped answering after POST http://service.example/attack (an odd path), and came back.',
    ]);
    expect(deaths[0]?.request?.url).toBe('http://service.example/attack');
  });

  it('that was still answered is named, though another scenario meets the end', async () => {
    const { deaths } = await run(['/last, answered'], restarted);
    expect(deaths.map(({ request }) => request?.url)).toEqual(['http://service.example/last']);
    expect(deaths[0]?.sentence).toContain(
      'after it answered POST http://service.example/last, of that or of a request just before it',
    );
  });

  it('and that is back is told again what it forgot, where it died of being told', async () => {
    let told = 0;
    const { statuses, target } = await run(['/attack'], (target) => ({
      ...restarted(target),
      within: 1000,
      onBack: async () => {
        told += 1;
        if (told === 1) throw new NoAnswer('refused', 'Nothing listens.');
      },
    }));
    expect(told).toBe(2);
    expect(target.isUp).toBe(true);
    expect(statuses['b.works']).toBe('pass');
  });

  it('and that is back has been told what it forgot', async () => {
    let told = 0;
    await run(['/attack'], (target) => ({
      ...restarted(target),
      onBack: async () => {
        told += 1;
      },
    }));
    expect(told).toBe(1);
  });

  it('is judged as its scenario left it, whatever that goes on with while it comes back', async () => {
    const target = new Target();
    let goOn = () => {};
    const [result] = await runScenarios<World>({
      scenarios: [
        scenario({
          id: 'a',
          title: 'Left',
          checks: { early: 'It holds.', late: 'It holds, too.' },
          run: async (judge, world) => {
            judge.expect('early', true, '');
            goOn = () => {
              judge.expect('early', false, 'what a restarted target answers');
              judge.expect('late', false, 'what a restarted target answers');
            };
            world.send('/attack');
          },
        }),
      ],
      world: worldOf(target, ['/attack']),
      catalog: new Catalog([]),
      clock: systemClock,
      isAlive: async () => target.isUp,
      origin: 'http://service.example',
      revival: {
        sleep: async () => target.start(),
        within: 1000,
        onBack: async () => goOn(),
      },
    });
    expect(result?.checks.map(({ id, status }) => [id, status])).toEqual([
      ['a.early', 'pass'],
      ['a.late', 'untestable'],
    ]);
  });

  it('and whose scenario took too long is not said to be interrupted by what comes later', async () => {
    const target = new Target();
    const interruption = new AbortController();
    const left: (readonly [string, string | undefined])[] = [];
    const running = runScenarios<World>({
      scenarios: [
        scenario({
          id: 'a',
          title: 'Endless',
          checks: { late: 'It holds.' },
          run: async (_judge, world) => {
            expect(() => world.send('/attack')).toThrow(NoAnswer);
            await new Promise(() => {});
          },
        }),
      ],
      world: worldOf(target, ['/attack']),
      catalog: new Catalog([]),
      clock: systemClock,
      limit: 5,
      signal: interruption.signal,
      isAlive: async () => target.isUp,
      origin: 'http://service.example',
      onResult: ({ checks }) => left.push(...checks.map(({ id, status }) => [id, status] as const)),
      revival: {
        sleep: async () => interruption.abort(),
        within: 1000,
      },
    });
    await expect(running).rejects.toThrow();
    expect(left).toEqual([['a.late', 'untestable']]);
  });

  it('keeps the rest from being judged where it stays away, with one reason', async () => {
    const { results, statuses } = await run(['/attack'], () => ({}));
    expect(statuses).toEqual({
      'a.early': 'pass',
      'a.late': 'untestable',
      'b.works': 'untestable',
    });
    const reason =
      'The target stopped answering after POST http://service.example/attack (an odd path), and was not back within 0.02 s.';
    expect(new Set(results.flatMap(({ checks }) => checks.map((each) => each.reason)))).toEqual(
      new Set([undefined, reason]),
    );
    const core = { core: [], selectedOnly: false, interrupted: false };
    expect(verdictOf({ scenarios: results, ...core })).toMatchObject({
      outcome: 'does_not_conform',
      died: reason,
    });
  });

  it('is told though only other checks were selected, unless it is skipped by name', async () => {
    expect(await statusesOf({ only: ['a'] })).toEqual({
      'a.late': 'untestable',
      'z.answers': 'fail',
    });
    expect(await statusesOf({ section: 'standards', only: ['a'] })).toHaveProperty('z.answers');
    expect(await statusesOf({ only: ['a'], skip: ['z'] })).toEqual({ 'a.late': 'untestable' });
    expect(await statusesOf({ only: ['a'] }, [])).toEqual({ 'a.late': 'pass' });
  });

  it.each([
    ['one that was given up on, where the next one is right', '/right', '', '/stalled'],
    ['an odd one, whatever was given up on before it', '/attack', ' (an odd path)', '/attack'],
  ])('is shown by %s, and names both', async (_which, next, odd, cause) => {
    const { deaths, statuses } = await told({ first: '/stalled', next });
    expect(statuses).toEqual({ 'a.late': 'pass', 'z.answers': 'fail' });
    expect(deaths.map(({ sentence }) => sentence)).toEqual([
      `The target stopped answering after POST http://service.example${next}${odd}, of that or of what it left unanswered just before it, POST http://service.example/stalled, and was not back within 0.02 s.`,
    ]);
    expect(deaths[0]?.request?.url).toBe(`http://service.example${cause}`);
  });

  it('is seen to have died where it is back already, by a connection that nobody took', async () => {
    const { deaths } = await run(['/attack'], (target) => ({ sleep: async () => target.start() }));
    expect(deaths).toHaveLength(1);
  });

  it('has judged all else first: what a fragile one may die of comes last', async () => {
    const target = new Target();
    const simple = (id: string, path: string, dangerous: boolean) =>
      scenario({
        ...{ id, title: id, checks: { works: 'It works.' }, dangerous },
        run: async (judge, world) => {
          world.send(path);
          judge.expect('works', true, '');
        },
      });
    const results = await runScenarios<World>({
      scenarios: [simple('a', '/attack', true), simple('b', '/right', false)],
      ...around(target, [], ['/attack']),
      revival: { sleep: () => Promise.resolve(), within: 20 },
    });
    expect(results.flatMap(({ checks }) => checks.map(({ status }) => status))).toEqual([
      'untestable',
      'pass',
    ]);
  });

  it('is not dead because one connection broke', async () => {
    const { deaths, statuses } = await run([], () => ({}));
    expect(deaths).toEqual([]);
    expect(statuses['a.late']).toBe('pass');
  });
});
