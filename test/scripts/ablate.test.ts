import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ablation, ablate, ablationTable } from '../../scripts/spec/ablate.js';
import type { Row } from '../../scripts/spec/rows.js';

const ID = (n: number) => `AR-EP-${n}`;

/** A project of one source and one test file, small enough to see what each removal must do. */
const files: Record<string, string> = {
  'vitest.config.ts': `
    import { ablationFromEnvironment } from '../../scripts/spec/ablation-plugin.js';
    export default {
      plugins: [ablationFromEnvironment(import.meta.dirname)],
      test: { include: ['test/**/*.test.ts'] },
    };`,
  'src/routes.ts': `
    export const routes: Record<string, number> = {
      '/open': 200,
      '/shut': 403,
      '/extra': 404,
    };
    export const twin = [1, 1];`,
  'test/routes.test.ts': `
    import { expect, it } from 'vitest';
    import { routes } from '../src/routes.ts';
    it('opens [${ID(1)}]', () => expect(routes['/open']).toBe(200));
    it('shuts [${ID(10)}]', () => expect(routes['/shut']).toBe(403));
    it('looks away [${ID(2)}] [${ID(3)}] [${ID(4)}] [${ID(5)}]', () => expect(1).toBe(1));`,
};

const row = (n: number, find?: string, file = 'src/routes.ts'): Row => ({
  id: ID(n),
  source: 'toy',
  row: 'a `toy`',
  ...(find === undefined ? {} : { remove: { file, find } }),
});
const rows = [
  row(1, `'/open': 200,`),
  row(2, `'/extra': 404,`),
  row(3, 'routes: Record<string, number> ='),
  row(4, '1'),
  row(5),
  row(6, `'/shut': 403,`),
  row(7, 'x', 'src/gone.ts'),
  row(10, `'/shut': 403,`),
];
const tests = [
  [1, 'opens'],
  [10, 'shuts'],
  [2, 'looks away'],
  [3, 'looks away'],
  [4, 'looks away'],
  [5, 'looks away'],
].map(([n, what]) => {
  const title = `${what} [${ID(Number(n))}]`;
  return {
    file: 'test/routes.test.ts',
    name: title,
    title,
    status: 'passed' as const,
    messages: [],
  };
});

describe('an ablation', () => {
  let root = '';
  let results: Ablation[] = [];

  beforeAll(async () => {
    const cache = join(import.meta.dirname, '../../.cache');
    mkdirSync(cache, { recursive: true });
    root = mkdtempSync(join(cache, 'toy-'));
    const list = JSON.stringify(rows);
    for (const [path, text] of Object.entries({ ...files, 'fixtures/spec-rows.yaml': list })) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    results = await ablate(root, rows, { tests, brokenFiles: [] });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const result = (n: number) => {
    const found = results.find(({ row: { id } }) => id === ID(n));
    return { red: found?.red, problem: found?.problem };
  };

  it('names the tests that go red', () => {
    expect(result(1)).toEqual({ red: [`opens [${ID(1)}]`], problem: undefined });
  });

  it('tells an id from a longer one', () => {
    expect(result(10)).toEqual({ red: [`shuts [${ID(10)}]`], problem: undefined });
  });

  it('reports a removal that no test misses', () => {
    expect(result(2)).toEqual({ red: [], problem: 'every test stayed green' });
  });

  it('takes a source that no longer compiles as no proof', () => {
    expect(result(3)).toEqual({ red: [], problem: 'test/routes.test.ts did not even load' });
  });

  it('refuses a removal that is not found exactly once', () => {
    expect(result(4).problem).toMatch(/^src\/routes.ts: found [2-9] times, not once: 1$/);
  });

  it('reports a row that names nothing to remove', () => {
    expect(result(5).problem).toBe('nothing to remove is named');
  });

  it('reports a row that no passing test names', () => {
    expect(result(6).problem).toBe('no passing test names the row');
  });

  it('reports a removal from a file that is not there', () => {
    expect(result(7).problem).toBe('src/gone.ts does not exist');
  });

  it('prints a table: row, what was removed, what went red', () => {
    expect(ablationTable(results.slice(0, 2)).split('\n').slice(2)).toEqual([
      `| ${ID(1)} | src/routes.ts: \`'/open': 200,\` | opens [${ID(1)}] |`,
      `| ${ID(2)} | src/routes.ts: \`'/extra': 404,\` | **nothing proven: every test stayed green** |`,
      '',
    ]);
  });
});
