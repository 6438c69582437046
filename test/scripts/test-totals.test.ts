import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/test-totals.js');

describe('the totals of CI', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-auth-totals-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a report of one browser test and one other test, and sums it with itself. */
  const totals = (browser: string, other: string) => {
    const suite = (file: string, status: string) => ({
      name: join(folder, file),
      status: status === 'failed' ? 'failed' : 'passed',
      assertionResults: [{ ancestorTitles: [], title: 'works', status }],
    });
    const testResults = [suite('test/browser/a.test.ts', browser), suite('test/b.test.ts', other)];
    const report = join(folder, 'report.json');
    writeFileSync(report, JSON.stringify({ testResults }));
    return run(report, report);
  };
  const run = (...reports: string[]) => {
    const { status, stdout } = spawnSync(process.execPath, [script, ...reports], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, last: stdout.trimEnd().split('\n').at(-1) };
  };

  it('are the sums of all reports', () => {
    expect(totals('passed', 'passed')).toEqual({ status: 0, last: '4 passed, 0 failed' });
  });

  it('are red when a test failed', () => {
    expect(totals('passed', 'failed')).toEqual({ status: 1, last: '2 passed, 2 failed' });
  });

  it('are red when a browser test was skipped', () => {
    expect(totals('skipped', 'passed')).toEqual({ status: 1, last: '2 passed, 0 failed' });
  });

  it('are red when a run left no report', () => {
    expect(run(join(folder, 'gone.json'))).toEqual({ status: 1, last: '0 passed, 0 failed' });
  });
});
