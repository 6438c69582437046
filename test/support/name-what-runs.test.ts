import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NameWhatRuns } from './name-what-runs.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('names the files and tests that have begun and not ended, once nothing has ended for a while', () => {
  const told: string[] = [];
  const reporter = new NameWhatRuns(1000, (text) => told.push(text));
  reporter.onTestModuleStart({ moduleId: 'a.test.ts' });
  reporter.onTestModuleStart({ moduleId: 'b.test.ts' });
  reporter.onTestModuleStart({ moduleId: 'c.test.ts' });
  const module = { moduleId: 'b.test.ts' } as Parameters<
    NameWhatRuns['onTestCaseReady']
  >[0]['module'];
  reporter.onTestCaseReady({ module, fullName: 'hangs' });
  vi.advanceTimersByTime(900);
  reporter.onTestModuleEnd({ moduleId: 'c.test.ts' });
  vi.advanceTimersByTime(900);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(told).toEqual([
    'No test has ended for 1 s. What runs:\n  a.test.ts\n  b.test.ts > hangs\n',
  ]);
  reporter.onTestRunEnd();
  vi.advanceTimersByTime(9000);
  expect(told).toHaveLength(1);
});
