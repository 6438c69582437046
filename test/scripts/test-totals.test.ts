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
      assertionResults: [{ ancestorTitles: [], title: 'works', status }],
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
    return { status, last: stdout.trimEnd().split('\n').at(-1) };
  };

  it('are the sums of all reports', () => {
    expect(totals('passed', 'passed')).toEqual({ status: 0, last: '3 passed, 0 failed' });
  });

  it('are red when a test failed', () => {
    expect(totals('passed', 'failed')).toEqual({ status: 1, last: '1 passed, 2 failed' });
  });

  it('are red when a browser test was skipped', () => {
    expect(totals('skipped', 'passed')).toEqual({ status: 1, last: '2 passed, 0 failed' });
  });

  it('are red when no report has a browser test', () => {
    const others = report('test/b.test.ts', 'passed');
    expect(run(others, others)).toEqual({ status: 1, last: '2 passed, 0 failed' });
  });

  it('are red when a run left no report', () => {
    const browser = report('test/browser/a.test.ts', 'passed');
    const reports = [browser, join(folder, 'gone.json')];
    expect(run(...reports)).toEqual({ status: 1, last: '1 passed, 0 failed' });
  });
});
