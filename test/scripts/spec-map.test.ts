import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemOf, type Row, readRows } from '../../scripts/spec/rows.js';
import { specMap } from '../../scripts/spec/spec-map.js';
import { rowIdsIn, type TestResult } from '../../scripts/spec/test-report.js';

const root = join(import.meta.dirname, '../..');

// The ids below are put together so that the titles of this file name no row.
const EP = (n: number) => `AR-EP-${n}`;

const row = (n: number, more: Partial<Row> = {}): Row => ({
  id: EP(n),
  source: 'agent-registration / Endpoints',
  row: 'GET a | b → 200',
  file: 'package.json',
  ...more,
});

const passed = (title: string, more: Partial<TestResult> = {}): TestResult => ({
  file: 'test/app.test.ts',
  name: title,
  title,
  status: 'passed',
  ...more,
});

const problems = (rows: Row[], tests: TestResult[], brokenFiles: string[] = []) =>
  specMap(rows, { tests, brokenFiles }, root).problems;

describe('the map of the specification', () => {
  it('prints a row with its file and the tests that passed for it, sorted', () => {
    const tests = [
      passed(`routes › serves <b> [${EP(1)}]`),
      passed(`answers [${EP(1)}]`),
      passed(`fails [${EP(1)}]`, { status: 'failed' }),
    ];
    const { markdown } = specMap([row(1)], { tests, brokenFiles: [] }, root);
    expect(markdown.split('\n').at(-2)).toBe(
      `| ${EP(1)} | GET a \\| b → 200 | \`package.json\` | ` +
        'test/app.test.ts: answers<br>test/app.test.ts: routes › serves \\<b\\> |',
    );
  });

  it('is content with a row that has a file and a passing test', () => {
    expect(problems([row(1)], [passed(`answers [${EP(1)}]`)])).toEqual([]);
  });

  it('reports a row without a passing test', () => {
    const tests = [passed(`answers [${EP(1)}]`, { status: 'skipped' })];
    expect(problems([row(1)], tests)).toEqual([`${EP(1)} has no passing test`]);
  });

  it('takes no browser test as proof, because not every machine runs it', () => {
    const tests = [passed(`claims [${EP(1)}]`, { file: 'test/browser/claim.test.ts' })];
    expect(problems([row(1)], tests)).toEqual([`${EP(1)} has no passing test`]);
  });

  it('reports a title that names an unknown row', () => {
    const tests = [passed(`answers [${EP(1)}]`), passed(`answers [${EP(9)}]`)];
    expect(problems([row(1)], tests)).toEqual([
      `test/app.test.ts: "answers [${EP(9)}]" names ${EP(9)}, which is no row`,
    ]);
  });

  it('reports a row whose file is missing or not named', () => {
    const tests = [passed(`answers [${EP(1)}, ${EP(2)}]`)];
    const { file: _, ...nameless } = row(2);
    expect(problems([row(1, { file: 'src/gone.ts' }), nameless], tests)).toEqual([
      `${EP(1)}: src/gone.ts does not exist`,
      `${EP(2)} has no file`,
    ]);
  });

  it('reports a test file that did not run', () => {
    const tests = [passed(`answers [${EP(1)}]`)];
    expect(problems([row(1)], tests, ['test/b.test.ts'])).toEqual(['test/b.test.ts did not run']);
  });

  it('prints a later row as not built, and never as passing', () => {
    const later = row(1, { issue: 'later' });
    const { markdown } = specMap([later], { tests: [], brokenFiles: [] }, root);
    expect(markdown).toContain('| not built yet |');
    expect(problems([later], [])).toEqual([]);
    expect(problems([later], [passed(`answers [${EP(1)}]`)])).toEqual([
      `${EP(1)} is marked later, yet tests name it`,
    ]);
  });
});

describe('row ids in a title', () => {
  it.each([
    ['one', `answers [${EP(1)}]`, [EP(1)]],
    ['two in one pair of brackets', `answers [${EP(1)}, ${EP(2)}]`, [EP(1), EP(2)]],
    ['two in two pairs', `answers [${EP(1)}] [${EP(2)}]`, [EP(1), EP(2)]],
    ['a mistyped one, so that it is reported', 'answers [AR-EQ-1x]', ['AR-EQ-1x']],
  ])('are read: %s', (_what, title, ids) => {
    expect(rowIdsIn(title)).toEqual(ids);
  });

  it('are not ids of other lists, nor words without brackets', () => {
    expect(rowIdsIn(`answers [A-31] [TOK-04] ${EP(1)}`)).toEqual([]);
  });
});

describe('fixtures/spec-rows.yaml', () => {
  it('lists the rows of both documents, well-formed', () => {
    const rows = readRows(root);
    const count = (prefix: string) => rows.filter(({ id }) => id.startsWith(prefix)).length;
    expect({ registration: count('AR-'), directory: count('SD-') }).toEqual({
      registration: 57,
      directory: 33,
    });
  });

  it('names only removals that the sources allow', () => {
    const stale = readRows(root).flatMap(({ id, remove }) => {
      const problem = remove && problemOf(root, remove);
      return problem === undefined ? [] : [`${id}: ${problem}`];
    });
    expect(stale).toEqual([]);
  });
});
