import { afterEach, describe, expect, it, vi } from 'vitest';
import { until } from './until.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('until', () => {
  it('waits for as long as something is not true', async () => {
    let turns = 0;
    await until(() => ++turns === 5);
    expect(turns).toBe(5);
  });

  it('goes on turning by the real clock where a test has a fake one', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'performance'] });
    let turns = 0;
    await until(async () => ++turns === 5);
    expect([turns, vi.getTimerCount()]).toEqual([5, 0]);
  });
});
