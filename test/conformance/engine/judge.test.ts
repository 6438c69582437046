import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/conformance/engine/catalog.ts';
import { CannotTest, Judge, NotApplicable } from '../../../src/conformance/engine/judge.ts';
import type { Level } from '../../../src/conformance/engine/model.ts';
import { type Progress, runScenarios } from '../../../src/conformance/engine/runner.ts';
import { type Scenario, scenariosOf } from '../../../src/conformance/engine/scenario.ts';
import type { Selection } from '../../../src/conformance/engine/selection.ts';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { NoAnswer } from '../../../src/conformance/http/no-answer.ts';

const GOOD = 'It is.';
const BAD = 'It is wrong.';

const define = scenariosOf<undefined>();
type RunScenario = Parameters<typeof define<'first' | 'second'>>[0]['run'];

function scenario(run: RunScenario, over: { readonly id?: string; readonly safe?: boolean } = {}) {
  return define({
    id: 'flow',
    title: 'A flow',
    checks: { first: 'The first.', second: 'The second.' },
    ...over,
    run,
  });
}

interface Run {
  readonly scenarios: readonly Scenario<undefined>[];
  readonly levels?: Readonly<Record<string, Level>>;
  readonly selection?: Selection;
  readonly after?: () => Promise<void>;
  readonly onProgress?: (progress: Progress) => void;
}

function judged({ scenarios, levels = {}, ...more }: Run) {
  const requirements = Object.entries(levels).map(([check, level], at) => ({
    id: `R-${at}`,
    role: 'service' as const,
    description: 'It does it.',
    sources: ['RFC 1'],
    level,
    checks: [check],
  }));
  return runScenarios({
    scenarios,
    world: () => undefined,
    catalog: new Catalog(requirements),
    clock: { now: () => 0 },
    ...more,
  });
}

async function checkOf(run: RunScenario, levels: Record<string, Level> = {}) {
  const [result] = await judged({ scenarios: [scenario(run)], levels });
  const found = result?.checks.find(({ id }) => id === 'flow.first');
  if (found === undefined) throw new Error('It was not reported.');
  return found;
}

describe('a check', () => {
  it('passes when it passed every time, without a finding', async () => {
    const { status, findings, reason } = await checkOf(async (judge) => {
      judge.expect('first', true, GOOD);
      judge.expect('first', true, GOOD);
    });
    expect({ status, findings, reason }).toEqual({
      status: 'pass',
      findings: [],
      reason: undefined,
    });
  });

  it.each([
    ['must', 'fail'],
    ['should', 'warn'],
    ['may', 'warn'],
  ] as const)('that binds as %s ends as %s when it failed once', async (level, status) => {
    const run: RunScenario = async (judge) => {
      judge.expect('first', true, GOOD);
      expect(judge.expect('first', false, BAD)).toBe(false);
    };
    expect((await checkOf(run, { 'flow.first': level })).status).toBe(status);
  });

  it('counts as a must where no requirement names it', async () => {
    const { level, status } = await checkOf(async (judge) => {
      judge.expect('first', false, BAD);
    });
    expect({ level, status }).toEqual({ level: 'must', status: 'fail' });
  });

  it('that another reading allows warns, whatever it binds, and is not lost in what passed', async () => {
    const check = await checkOf(async (judge) => {
      judge.expect('first', false, BAD, { warn: true });
      judge.expect('first', true, GOOD);
    });
    expect(check).toMatchObject({
      status: 'warn',
      findings: [{ expected: 'The first.', seen: BAD }],
    });
  });

  it('forgets that it was left out once it is judged, and is left out no more', async () => {
    for (const first of ['skip', 'expect'] as const) {
      const { reason, status } = await checkOf(async (judge) => {
        const acts = [
          () => judge.skip('first', 'It does not apply.'),
          () => judge.expect('first', true, GOOD),
        ];
        for (const act of first === 'skip' ? acts : acts.reverse()) act();
      });
      expect({ reason, status }).toEqual({ reason: undefined, status: 'pass' });
    }
  });

  it('that is left out twice keeps the first reason', async () => {
    const { reason, status } = await checkOf(async (judge) => {
      judge.skip(['first', 'second'], 'It does not apply.');
      judge.untestable('first', 'Nothing came.');
    });
    expect({ reason, status }).toEqual({ reason: 'It does not apply.', status: 'skip' });
  });

  it('shows eight findings, and counts the rest', async () => {
    const check = await checkOf(async (judge) => {
      for (let n = 0; n < 11; n += 1) judge.expect('first', false, BAD);
    });
    expect(check.findings).toHaveLength(8);
    expect(check.moreFindings).toBe(3);
  });

  it('shows what was seen without its secrets, in a sentence and in an answer', () => {
    const judge = new Judge({ first: 'The first.' });
    const secret = 'at_0123456789abcdefghij';
    const answer = new Answer(200, [], JSON.stringify({ access_token: secret }), 1, 7);
    judge.expect('first', false, `It sent ${secret}.`);
    judge.expect('first', false, answer);
    const findings = judge.verdicts().get('first')?.failures;
    expect(JSON.stringify(findings)).not.toContain(secret);
    expect(findings?.map(({ exchange }) => exchange)).toEqual([undefined, 7]);
  });
});

describe('a table', () => {
  const checks = { first: 'The first.', second: 'The second.', third: 'The third.' };
  const answer = new Answer(400, [], '{"error":"x"}', 1, 7);

  it('judges a row for each check, several where a check has several, and none for undefined', () => {
    const judge = new Judge(checks);
    const isRight = judge.table(answer, {
      first: ({ status }) => ({ ok: status === 400 }),
      second: [{ ok: true }, { ok: false, seen: 'the other' }],
      third: () => undefined,
    });
    expect(isRight).toBe(false);
    expect(judge.verdicts().get('first')).toEqual({ passed: 1, failures: [], warnings: [] });
    expect(judge.verdicts().get('second')).toEqual({
      passed: 1,
      failures: [{ expected: 'The second.', seen: 'the other', exchange: 7 }],
      warnings: [],
    });
    expect(judge.verdicts().has('third')).toBe(false);
  });

  it('shows the subject where a row names nothing else, and the case first', () => {
    const judge = new Judge(checks);
    judge.table(answer, { first: { ok: false }, second: { ok: false, warn: true } }, { case: 'a' });
    judge.table({ aud: 1 }, { third: () => ({ ok: false, expected: 'aud 2', exchange: 3 }) });
    const { failures, warnings } = judge.verdicts().get('first') ?? {};
    expect(failures?.[0]?.seen).toBe('a: 400: {"error":"x"}');
    expect(warnings).toEqual([]);
    expect(judge.verdicts().get('second')?.warnings).toHaveLength(1);
    expect(judge.verdicts().get('third')?.failures).toEqual([
      { expected: 'aud 2', seen: '{"aud":1}', exchange: 3 },
    ]);
  });
});

describe('a scenario that stops', () => {
  it.each([
    ['because it does not apply', new NotApplicable('No such endpoint.'), 'skip'],
    ['because it cannot be judged', new CannotTest('No such user.'), 'untestable'],
    ['because no answer came', new NoAnswer('timeout', 'It did not answer.'), 'untestable'],
  ])('%s gives that as the reason of what is left', async (_what, error, status) => {
    const [result] = await judged({
      scenarios: [
        scenario(async (judge) => {
          judge.expect('first', true, GOOD);
          throw error;
        }),
      ],
    });
    expect(result?.checks).toMatchObject([
      { id: 'flow.first', status: 'pass' },
      { id: 'flow.second', status, reason: error.message },
    ]);
  });

  it('by a defect of this suite names the defect and its place', async () => {
    const { reason, status } = await checkOf(async () => {
      throw new TypeError('x is undefined');
    });
    expect(status).toBe('untestable');
    expect(reason).toMatch(/^A defect of this suite .*TypeError at judge\.test\.ts:\d+:\d+/);
  });

  it('has the peers set back before the next one, as one that ends does', async () => {
    const order: string[] = [];
    const named = (id: string, fails: boolean) =>
      scenario(
        async () => {
          order.push(id);
          if (fails) throw new CannotTest('x');
        },
        { id },
      );
    await judged({
      scenarios: [named('one', true), named('two', false)],
      after: async () => {
        order.push('set back');
      },
    });
    expect(order).toEqual(['one', 'set back', 'two', 'set back']);
  });
});

describe('a selection', () => {
  const seen: string[] = [];
  const named = (id: string, safe: boolean) =>
    scenario(
      async (judge) => {
        seen.push(id);
        judge.expect('first', true, GOOD);
      },
      { id, safe },
    );
  const run = async (selection: Selection, levels?: Record<string, Level>) => {
    seen.length = 0;
    const scenarios = [named('claim', false), named('claim-page', true)];
    const results = await judged({ scenarios, selection, ...(levels && { levels }) });
    return results.flatMap(({ checks }) => checks);
  };
  const ids = async (selection: Selection, levels?: Record<string, Level>) =>
    (await run(selection, levels)).map(({ id }) => id);

  it('runs nothing that creates something with --safe, and gives that as the reason', async () => {
    const checks = await run({ safe: true });
    expect(seen).toEqual(['claim-page']);
    expect(checks.filter(({ status }) => status === 'skip')).toMatchObject([
      { id: 'claim.first', reason: expect.stringContaining('--safe') },
      { id: 'claim.second' },
    ]);
  });

  it('names scenarios and checks as a whole, dots as dots', async () => {
    const both = ['claim.first', 'claim.second'];
    expect(await ids({ only: ['claim'] })).toEqual(both);
    expect(await ids({ only: ['claim.first'] })).toEqual(['claim.first']);
    expect(await ids({ only: ['claim.*'] })).toEqual(both);
    expect(await ids({ only: ['cl', 'im', 'claim.page'] })).toEqual([]);
    expect(await ids({ only: ['*.second'], skip: ['claim'] })).toEqual(['claim-page.second']);
  });

  it('of a level takes that level and the stronger ones', async () => {
    const levels = { 'claim.first': 'should', 'claim.second': 'may' } as const;
    const only = ['claim'];
    expect(await ids({ only, level: 'should' }, levels)).toEqual(['claim.first']);
    expect(await ids({ only, level: 'may' }, levels)).toEqual(['claim.first', 'claim.second']);
    expect(await ids({ only, level: 'must' }, levels)).toEqual([]);
  });

  it('is what the progress counts', async () => {
    const shown: Progress[] = [];
    await judged({
      scenarios: [named('claim', false), named('claim-page', true)],
      selection: { only: ['claim'] },
      onProgress: (progress) => shown.push(progress),
    });
    expect(shown).toEqual([
      { done: 0, total: 1, title: 'A flow' },
      { done: 1, total: 1 },
    ]);
  });
});
