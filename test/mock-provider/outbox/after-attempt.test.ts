import { describe, expect, it } from 'vitest';
import {
  type Attempt,
  afterAttempt,
  TRIED_FOR,
} from '../../../src/mock-provider/outbox/outbox-entry.ts';
import { DAY, HOUR, SECOND } from '../../../src/protocol/index.ts';
import type { Random } from '../../../src/runtime/index.ts';

const NOW = 1_000_000;
const problem = { code: 'http_503', status: 503 };
const failed = (retryAfter?: number): Attempt => ({ kind: 'failed', problem, retryAfter });
const bytes = (value: number): Random => ({
  bytes: (length) => new Uint8Array(length).fill(value),
});
const wait = (attempts: number, attempt = failed(), random = bytes(0)) => {
  const after = afterAttempt(attempt, { attempts, giveUpAt: NOW + TRIED_FOR }, NOW, random);
  return (after.nextAttemptAt ?? Number.NaN) - NOW;
};

describe('after a failed attempt', () => {
  it('the next one comes later each time, up to an hour', () => {
    const waits = [1, 2, 3, 4, 11, 1000].map((attempts) => wait(attempts) / SECOND);
    expect(waits).toEqual([5, 10, 20, 40, 3600, 3600]);
  });

  it('the wait is spread, so that not all come back at once', () => {
    expect(wait(1, failed(), bytes(255))).toBeGreaterThan(9.9 * SECOND);
    expect(wait(1, failed(), bytes(255))).toBeLessThan(10 * SECOND);
    expect(wait(1000, failed(), bytes(255))).toBe(HOUR);
  });

  it.each([
    ['longer than the own wait', 60 * SECOND, 60 * SECOND],
    ['shorter than the own wait', SECOND, 5 * SECOND],
    ['absurdly long', 365 * DAY, HOUR],
    ['none', undefined, 5 * SECOND],
  ])('Retry-After counts when it is %s', (_what, retryAfter, expected) => {
    expect(wait(1, failed(retryAfter))).toBe(expected);
  });

  it('it is parked once it has failed for seven days', () => {
    const at = (now: number) =>
      afterAttempt(failed(), { attempts: 200, giveUpAt: NOW }, now, bytes(0)).state;
    expect([at(NOW - 1), at(NOW)]).toEqual(['pending', 'parked']);
  });
});

describe('after any other attempt', () => {
  it.each<[string, Attempt, string]>([
    ['delivered', { kind: 'delivered' }, 'delivered'],
    ['refused', { kind: 'refused', problem }, 'parked'],
    ['not wanted', { kind: 'not_wanted', problem }, 'none'],
  ])('%s: there is no next one', (_what, attempt, state) => {
    const after = afterAttempt(attempt, { attempts: 1, giveUpAt: NOW + 1 }, NOW, bytes(0));
    expect(after).toMatchObject({ state, nextAttemptAt: undefined });
    expect(after.problem).toEqual(attempt.kind === 'delivered' ? undefined : problem);
  });
});
