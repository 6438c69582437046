import { describe, expect, it } from 'vitest';
import { clockOffset } from '../../../src/agent/http/server-time.ts';

const NOW = Date.UTC(2026, 0, 1);

function offsetOf(ahead: number, more: Record<string, string> = {}) {
  return clockOffset(new Headers({ date: new Date(NOW + ahead).toUTCString(), ...more }), NOW);
}

describe('the time of a server', () => {
  it.each([
    [2000, 0],
    [-2000, 0],
    [3000, 3000],
    [-3000, -3000],
  ])('that is %i ms ahead is %i ms off: below that it is rounding and travel', (ahead, offset) => {
    expect(offsetOf(ahead)).toBe(offset);
  });

  it('counts what an answer has aged in a cache', () => {
    expect(offsetOf(-60_000, { age: '60' })).toBe(0);
    expect(offsetOf(0, { age: '60' })).toBe(60_000);
  });

  it.each(['-60', '1.5', 'x', '9'.repeat(10)])('minds no Age of %s', (age) => {
    expect(offsetOf(-60_000, { age })).toBe(-60_000);
  });

  it('is unknown without a Date that can be read', () => {
    expect(clockOffset(new Headers(), NOW)).toBeUndefined();
    expect(clockOffset(new Headers({ date: 'soon' }), NOW)).toBeUndefined();
  });
});
