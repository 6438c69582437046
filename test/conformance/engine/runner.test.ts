import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/conformance/engine/catalog.ts';
import { CannotTest, NeedsOption } from '../../../src/conformance/engine/judge.ts';
import type { ScenarioResult } from '../../../src/conformance/engine/model.ts';
import type { Requirement } from '../../../src/conformance/engine/read-requirements.ts';
import { type RunOptions, runScenarios } from '../../../src/conformance/engine/runner.ts';
import { scenariosOf } from '../../../src/conformance/engine/scenario.ts';
import { systemClock } from '../../../src/runtime/index.ts';

interface World {
  /** How often the scenario has run, this time included. */
  readonly run: number;
}

const scenario = scenariosOf<World>();

const asked: readonly Requirement[] = (['must', 'should'] as const).map((level) => ({
  id: `X-${level}`,
  role: 'service',
  level,
  description: 'It is asked for.',
  sources: ['RFC 9728 §3.3'],
  checks: [`a.${level}`],
}));

function run(
  story: Parameters<typeof scenario>[0]['run'],
  options: Partial<RunOptions<World>> & { readonly costly?: boolean } = {},
): Promise<readonly ScenarioResult[]> {
  const { costly = false, ...rest } = options;
  let runs = 0;
  return runScenarios({
    scenarios: [
      scenario({
        id: 'a',
        title: 'A scenario',
        checks: { must: 'It holds.', should: 'It should hold.' },
        costly,
        run: story,
      }),
    ],
    world: () => {
      runs += 1;
      return { run: runs };
    },
    catalog: new Catalog(asked),
    clock: systemClock,
    ...rest,
  });
}

const statusesOf = (results: readonly ScenarioResult[]) =>
  results.flatMap(({ checks }) => checks.map(({ status }) => status));

describe('a failed scenario', () => {
  it('is run again on a fresh world, and what then passes only warns', async () => {
    const [result] = await run(async (judge, world) => {
      judge.expect('must', world.run > 1, 'a flicker');
      judge.expect('should', true, '');
    });
    expect(result?.checks[0]).toMatchObject({
      status: 'warn',
      findings: [{ seen: 'Not repeatable, it was right when tried again: a flicker' }],
    });
  });

  it('stays failed where an attack succeeded once, though it is refused when tried again', async () => {
    const attack = { gain: 'account', can: 'Reads what is not its own.' } as const;
    const attacks = asked.map((each) => ({ ...each, section: 'attacks' as const, ...attack }));
    const [result] = await run(
      async (judge, world) => {
        judge.expect('must', world.run > 1, '200, with data');
        judge.expect('should', true, '');
      },
      { catalog: new Catalog(attacks) },
    );
    expect(result?.checks[0]).toMatchObject({
      status: 'fail',
      findings: [{ seen: '200, with data' }],
    });
  });

  it('is judged by the second run in what the first one left because of it', async () => {
    const [result] = await run((judge, world) => {
      judge.expect('must', world.run > 1, 'a flicker');
      if (world.run > 1) judge.expect('should', false, 'seen late', { exchange: 3 });
      return Promise.resolve();
    });
    expect(result?.checks).toMatchObject([
      { status: 'warn' },
      { status: 'warn', findings: [{ seen: 'seen late', exchange: 3 }] },
    ]);
    expect(result?.checks[1]).not.toHaveProperty('restsOn');
  });

  it('is reported as it was where the second run is interrupted', async () => {
    const interrupt = new AbortController();
    const told: ScenarioResult[] = [];
    const running = run(
      (judge, world) => {
        if (world.run > 1) {
          queueMicrotask(() => interrupt.abort(new Error('enough')));
          return new Promise(() => {});
        }
        judge.expect('must', false, 'seen before');
        return Promise.resolve();
      },
      { signal: interrupt.signal, onResult: (result) => told.push(result) },
    );
    await expect(running).rejects.toThrow('enough');
    expect(statusesOf(told)).toEqual(['fail', 'skip']);
  });

  it('stays failed where it fails again, or is not judged again', async () => {
    const fails = await run(async (judge) => void judge.expect('must', false, 'always'));
    expect(statusesOf(fails)[0]).toBe('fail');
    const once = await run(async (judge, world) => {
      if (world.run > 1) throw new CannotTest('It is over.');
      judge.expect('must', false, 'once');
    });
    expect(statusesOf(once)[0]).toBe('fail');
  });

  it('is not run again where that is costly or not wanted', async () => {
    const flicker = (judge: Parameters<Parameters<typeof scenario>[0]['run']>[0], world: World) => {
      judge.expect('must', world.run > 1, 'a flicker');
      return Promise.resolve();
    };
    expect(statusesOf(await run(flicker, { costly: true }))[0]).toBe('fail');
    expect(statusesOf(await run(flicker, { repeat: false }))[0]).toBe('fail');
  });
});

describe('a check that was not judged', () => {
  it('names the option that would have it judged', async () => {
    const [result] = await run(() => Promise.reject(new NeedsOption('One user.', '--email')));
    expect(result?.checks[0]).toMatchObject({
      status: 'skip',
      reason: 'One user.',
      needs: '--email',
    });
  });
});

describe('a scenario that does not end', () => {
  it('is left after its time', async () => {
    const [result] = await run(() => new Promise(() => {}), { limit: 20 });
    expect(result?.checks[0]).toMatchObject({
      status: 'untestable',
      reason: 'It did not end within 0.02 seconds; its last request: none.',
    });
  });

  it('ends with the run, which tells of what was judged', async () => {
    const interrupt = new AbortController();
    const told: ScenarioResult[] = [];
    const running = run(
      (judge) => {
        judge.expect('must', false, 'seen before');
        queueMicrotask(() => interrupt.abort(new Error('enough')));
        return new Promise(() => {});
      },
      { signal: interrupt.signal, onResult: (result) => told.push(result) },
    );
    await expect(running).rejects.toThrow('enough');
    expect(told[0]?.checks).toMatchObject([{ status: 'fail' }, { status: 'skip' }]);
  });
});

describe('a scenario that ends without a word', () => {
  it('says after which request', async () => {
    const [result] = await run(() => Promise.resolve());
    expect(result?.checks[0]).toMatchObject({
      status: 'untestable',
      reason: 'No further step followed its last request: none.',
    });
  });
});
