import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type JudgeRun,
  type Judging,
  judgeAndReport,
} from '../../../src/cli/conformance/judge-and-report.ts';
import type { Context } from '../../../src/cli/shell/context.ts';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { Output } from '../../../src/cli/shell/output.ts';
import { runScenarios } from '../../../src/conformance/engine/runner.ts';
import type { Report, Scenario } from '../../../src/conformance/index.ts';
import { BadTarget } from '../../../src/conformance/target/bad-target.ts';
import { FakeClock, SeededRandom } from '../../../src/runtime/index.ts';
import { testFolder } from '../../support/test-folder.ts';
import { memoryStreams } from '../support/memory-streams.ts';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

const FORMATS = ['json', 'junit', 'markdown', 'html'];

/** Judges by two scenarios, and returns what was thrown and what was written. */
async function judge(run: Judging['judge'], variables: Readonly<Record<string, string>> = {}) {
  const typed =
    'conformance agent --report html=a.html --only=first --seed 3 --timeout 9s --verbose';
  const environment = readEnvironment(variables, { platform: 'linux', inContainer: () => false });
  const { streams } = memoryStreams(false, environment);
  const context = {
    world: { clock: new FakeClock(), random: new SeededRandom(), streams, environment },
    output: new Output(streams, { json: false, quiet: true }),
    interrupt: new AbortController(),
    options: {},
    argv: [...typed.split(' '), '--', './adapter', '--seed', '9'],
  } as unknown as Context;
  const file = (format: string) => join(folder, format);
  const report = FORMATS.map((format) => `${format}=${file(format)}`);
  const scenarios = [SCENARIOS.first, SCENARIOS.second];
  const judging = { role: 'agent', target: 'a command', core: [], scenarios, judge: run } as const;
  const ended = await judgeAndReport(context, { report }, judging).catch((error: unknown) => error);
  const written = FORMATS.map((format) => readFileSync(file(format), 'utf8'));
  return { ended, written, report: JSON.parse(written[0] ?? '') as Report };
}

const scenario = (id: string, broken?: Error): Scenario<object> => ({
  ...{ id, title: id, safe: true, checks: { works: 'It works.', holds: 'It holds.' } },
  run: async (judge) => {
    judge.expect('works', true, 'nothing');
    if (broken !== undefined) throw broken;
    judge.expect('holds', true, 'nothing');
  },
});

const SCENARIOS = { first: scenario('first'), second: scenario('second') };

describe('the line that repeats a finding', () => {
  it('has the words that were typed, and begins with npx where they did', async () => {
    const { report } = await judge(
      async ({ catalog, onResult }) =>
        runScenarios({
          ...{ catalog, onResult, repeat: false, clock: new FakeClock(), world: () => ({}) },
          scenarios: [
            { ...SCENARIOS.first, run: async (each) => void each.expect('works', false, 'no') },
          ],
        }),
      { npm_command: 'exec' },
    );
    expect(report.causes[0]?.repeat).toMatch(
      /^npx agent-auth conformance agent --timeout 9s --only first\.works --seed \d+ -- \.\/adapter --seed 9$/,
    );
  });
});

describe('a run that cannot begin', () => {
  it('writes every report where something answered', async () => {
    const { report, written } = await judge(async () => {
      throw new BadTarget('not_a_peer', 'It is a web page.');
    });
    expect(report.scenarios.flatMap(({ checks }) => checks)).toMatchObject([
      { id: 'run.begun', status: 'untestable', reason: expect.stringContaining('web page') },
    ]);
    for (const text of written) expect(text).toContain('It is a web page.');
  });

  it('writes nothing for programs where nothing answered', async () => {
    const nothing = judge(async () => {
      throw new BadTarget('network', 'Nothing listens there.');
    });
    await expect(nothing).rejects.toThrow(/ENOENT.*json/);
  });
});

describe('a run that breaks off by a defect', () => {
  const run = (
    { catalog, onResult }: JudgeRun,
    scenarios: readonly Scenario<object>[],
    after?: () => Promise<void>,
  ) =>
    runScenarios({
      ...{ scenarios, catalog, onResult, repeat: false, clock: new FakeClock() },
      world: () => ({}),
      ...(after && { after }),
    });

  it('within a scenario, leaves its other checks untestable, and goes on', async () => {
    const broken = scenario('first', new RangeError('out of range'));
    const { ended, report } = await judge((each) => run(each, [broken, SCENARIOS.second]));
    expect(ended).toBe('done');
    expect(report.scenarios.flatMap(({ checks }) => checks)).toMatchObject([
      { id: 'first.works', status: 'pass' },
      {
        id: 'first.holds',
        status: 'untestable',
        reason: expect.stringMatching(/^A defect of this suite .*RangeError.*out of range/),
      },
      { id: 'second.works', status: 'pass' },
      { id: 'second.holds', status: 'pass' },
    ]);
  });

  it('between two, writes every report of what was judged, and then says what broke', async () => {
    const defect = new RangeError('between');
    let ends = 0;
    const { ended, report, written } = await judge((each) =>
      run(each, [SCENARIOS.first, SCENARIOS.second], async () => {
        ends += 1;
        if (ends === 2) throw defect;
      }),
    );
    expect(ended).toBe(defect);
    expect(report.scenarios.map(({ id }) => id)).toContain('first');
    expect(report.verdict.interrupted).toBe(true);
    expect(written.filter((text) => text === '')).toEqual([]);
  });
});
