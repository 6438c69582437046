import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITED } from '../support/limited.ts';

const script = join(import.meta.dirname, '../../scripts/test-totals.js');

describe('the totals of CI', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-auth-totals-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a report of one test. */
  const report = (file: string, status: string) => {
    const suite = {
      name: join(folder, file),
      status: status === 'failed' ? 'failed' : 'passed',
      assertionResults: [
        {
          ancestorTitles: ['a page'],
          title: 'works',
          status,
          failureMessages:
            status === 'failed' ? [`\u001b[31mexpected 1${'\n    at the code'.repeat(40)}`] : [],
        },
      ],
    };
    const path = join(folder, `${file.replaceAll('/', '-')}.json`);
    writeFileSync(path, JSON.stringify({ testResults: [suite] }));
    return path;
  };
  /** Sums a report of one browser test with one of another test, which counts twice. */
  const totals = (browser: string, other: string) => {
    const others = report('test/b.test.ts', other);
    return run(report('test/browser/a.test.ts', browser), others, others);
  };
  const run = (...reports: string[]) => {
    const { status, stdout } = spawnSync(process.execPath, [script, ...reports], {
      cwd: folder,
      encoding: 'utf8',
      ...LIMITED,
    });
    const lines = stdout.trimEnd().split('\n');
    return { status, last: lines.at(-1), before: lines.slice(0, -1) };
  };

  it('are the sums of all reports', () => {
    expect(totals('passed', 'passed')).toMatchObject({ status: 0, last: '3 passed, 0 failed' });
  });

  it('are red when a test failed', () => {
    expect(totals('passed', 'failed')).toMatchObject({ status: 1, last: '1 passed, 2 failed' });
  });

  it('come after what failed, and the beginning of why', () => {
    const { before } = totals('passed', 'failed');
    const [first, second] = before;
    expect(first).toMatch(
      /^failed, in .*test-b\.test\.ts\.json: test\/b\.test\.ts › a page › works$/,
    );
    expect(second).toBe('  expected 1');
    expect(before).toHaveLength(2 * 13);
  });

  it('name what was skipped, which no line told', () => {
    const { status, last, before } = totals('passed', 'skipped');
    expect([status, last, before]).toEqual([
      0,
      '1 passed, 0 failed',
      ['skipped, 2: test/b.test.ts'],
    ]);
  });

  it('name a file that failed before its tests', () => {
    const path = join(folder, 'broken.json');
    const broken = { status: 'failed', message: 'Cannot find package', assertionResults: [] };
    const testResults = [{ ...broken, name: join(folder, 'test/c.test.ts') }];
    writeFileSync(path, JSON.stringify({ testResults }));
    const { status, before } = run(report('test/browser/a.test.ts', 'passed'), path);
    expect([status, ...before]).toEqual([
      1,
      `failed, in ${path}: test/c.test.ts`,
      '  Cannot find package',
    ]);
  });

  it('are red when a browser test was skipped', () => {
    expect(totals('skipped', 'passed')).toMatchObject({ status: 1, last: '2 passed, 0 failed' });
  });

  it('are red when no report has a browser test', () => {
    const others = report('test/b.test.ts', 'passed');
    expect(run(others, others)).toMatchObject({ status: 1, last: '2 passed, 0 failed' });
  });

  it('are red when a run left no report', () => {
    const browser = report('test/browser/a.test.ts', 'passed');
    const reports = [browser, join(folder, 'gone.json')];
    expect(run(...reports)).toMatchObject({ status: 1, last: '1 passed, 0 failed' });
  });
});
