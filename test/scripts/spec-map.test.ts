import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { problemOf, type Row, readRows } from '../../scripts/spec/rows.js';
import { specMap } from '../../scripts/spec/spec-map.js';
import { rowIdsIn, type TestResult } from '../../scripts/spec/test-report.js';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
/** A project of a source file, a helper and two test files. */
const toy = mkdtempSync(join(cache, 'toy-'));
afterAll(() => rmSync(toy, { recursive: true, force: true }));

// The ids below are put together so that the titles of this file name no row.
const EP = (n: number) => `AR-EP-${n}`;

const files: Record<string, string> = {
  'src/app.ts': `
    export const app = 1;
    export class Shop {
      open() {
        return 'open';
      }
    }`,
  'test/helper.ts': `
    export class Client {
      buy() {
        return post('/buy');
      }
      leave() {
        return post('/leave');
      }
    }`,
  'test/app.test.ts': `
    import { Client } from './helper.ts';
    const PRICE = 'price';
    it('answers [${EP(1)}]', () => {});
    it('sells [${EP(2)}]', () => {
      // Not at the /menu.
      expect(client.buy()).toEqual([PRICE, '/{id}/menu', \`\${BASE}/card\`]);
    });
    describe('the shop [${EP(3)}]', () => {
      it('opens', () => expect(hours).toBe('late'));
    });
    it.each([
      ['${EP(4)}', 'apples'],
      ['${EP(5)}', 'pears'],
    ])('[%s] sells %s', (_row, what) => sell(what, 'today'));
    it('answers 404 gone [${EP(6)}]', async () => {
      const pending = ['pending', 400];
      send(405, 'late_code');
      expect(await answer()).not.toEqual([403, 'soon']);
      expect(await answer()).toEqual(pending);
    });
    it.skip('answers 500 [${EP(7)}]', () => expect(500).toBe('broken'));`,
  'test/b.test.ts': '',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(join(toy, path, '..'), { recursive: true });
  writeFileSync(join(toy, path), text);
}

const row = (n: number, more: Partial<Row> = {}): Row => ({
  id: EP(n),
  source: 'specification / Endpoints',
  row: 'GET a | b → 200',
  file: 'src/app.ts',
  symbol: 'app',
  ...more,
});

const passed = (title: string, more: Partial<TestResult> = {}): TestResult => ({
  file: 'test/app.test.ts',
  name: title,
  title,
  status: 'passed',
  messages: [],
  ...more,
});

const problems = (rows: Row[], tests: TestResult[], broken: string[] = []) => {
  const brokenFiles = broken.map((file) => ({ file, message: 'Cannot find package' }));
  return specMap(rows, { tests, brokenFiles }, toy, new Set(['late_code'])).problems;
};

describe('the map of the specification', () => {
  it('prints a row with its file and the tests that passed for it, sorted', () => {
    const tests = [
      passed(`routes › serves <b> [${EP(1)}]`),
      passed(`answers [${EP(1)}]`),
      passed(`fails [${EP(1)}]`, { status: 'failed' }),
    ];
    const { map } = specMap([row(1)], { tests, brokenFiles: [] }, toy);
    expect(map).toContain(
      `| ${EP(1)} | GET a \\| b → 200 | \`src/app.ts\` \`app\` | ` +
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
    const { map } = specMap([later], { tests: [], brokenFiles: [] }, toy);
    expect(map).toContain('| not built yet |');
    expect(problems([later], [])).toEqual([]);
    expect(problems([later], [passed(`answers [${EP(1)}]`)])).toEqual([
      `${EP(1)} is marked later, yet tests name it`,
    ]);
  });
});

describe('what does a row', () => {
  const map = (...rows: Row[]) =>
    specMap(rows, { tests: rows.map(({ id }) => passed(`answers [${id}]`)), brokenFiles: [] }, toy);

  it.each([
    ['a constant', 'app = 1', 'app'],
    ['a method', `return 'open'`, 'Shop.open'],
  ])('is what holds the text that the ablation removes: %s', (_what, find, symbol) => {
    const remove = { file: 'src/app.ts', find };
    const { problems, map: page } = map(row(1, { symbol: undefined, remove } as object));
    expect(problems).toEqual([]);
    expect(page).toContain(`| \`src/app.ts\` \`${symbol}\` |`);
    expect(page.split('\n').at(-2)).toBe(`| \`src/app.ts\` | \`${symbol}\` | ${EP(1)} |`);
  });

  it('gathers the rows of a symbol in the way back', () => {
    expect(map(row(1), row(2)).map).toContain(`| \`src/app.ts\` | \`app\` | ${EP(1)}, ${EP(2)} |`);
  });

  it.each([
    ['it is not in the file', { symbol: 'gone' }, `${EP(1)}: src/app.ts has no gone`],
    [
      'nothing tells it',
      { symbol: undefined } as object,
      `${EP(1)}: what in src/app.ts does it? It needs a symbol`,
    ],
  ])('is reported where %s', (_what, more, problem) => {
    expect(map(row(1, more)).problems).toEqual([problem]);
  });
});

describe('what a row says and what its tests assert', () => {
  const problemsOf = (n: number, says: string, more: Partial<Row> = {}) =>
    problems([row(n, { row: says, ...more })], [passed(`answers [${EP(n)}]`)]);

  it.each([
    ['a word of the test, of a constant and of a helper that it calls', 2, '`price` by `/buy`'],
    ['a path behind a base', 2, '`/card`'],
    ['a word of any test of a group', 3, '`late`'],
    ['an element of a table, and the test that runs it', 4, '`apples` `today`'],
    ['a status that it expects under a name', 6, '`400`'],
  ])('agree by %s', (_what, n, says) => {
    expect(problemsOf(n, says)).toEqual([]);
  });

  it.each([
    ['a word that no test has', 2, '/sell'],
    ['a helper that the test does not call', 2, '/leave'],
    ['a comment, or a part of another path', 2, '/menu'],
    ['the element of another row', 4, 'pears'],
    ['the title of the test', 6, 'gone'],
    ['what is expected not to be', 6, 'soon'],
    ['a test that is skipped', 7, 'broken'],
    ['a status that is only sent', 6, '405'],
    ['a code that is only sent', 6, 'late_code'],
  ])('disagree by %s', (_what, n, word) => {
    expect(problemsOf(n, `it has \`${word}\``)).toEqual([
      `${EP(n)}: no test that names it has \`${word}\``,
    ]);
  });

  it('may differ where the row declares it, as long as the tests do what it declares', () => {
    const deviates = { says: '/menu', does: 'has `/card`', because: 'so is the catalog' };
    expect(problemsOf(2, 'it has `/menu`', { deviates })).toEqual([]);
    expect(problemsOf(2, 'it has `/buy`', { deviates: { ...deviates, says: '/buy' } })).toEqual([
      `${EP(2)}: it deviates from \`/buy\`, yet its tests have that`,
    ]);
    expect(
      problemsOf(2, 'it has `/menu`', { deviates: { ...deviates, does: 'has `/map`' } }),
    ).toEqual([`${EP(2)}: no test that names it has \`/map\``]);
    const { deviations } = specMap([row(2, { deviates })], { tests: [], brokenFiles: [] }, toy);
    expect(deviations.split('\n').at(-2)).toBe(
      `| ${EP(2)} | specification / Endpoints | \`/menu\` | has \`/card\` | so is the catalog |`,
    );
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
