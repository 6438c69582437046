import { expect, it } from 'vitest';
import { median, ratio } from '../../bench/figures.js';

it('the figures of several rounds are their middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(() => median([])).toThrow(RangeError);
});

it('rounds are compared one by one', () => {
  // Both were slow in the second: that is the machine, not the ratio.
  expect(ratio([100, 10, 100], [200, 20, 400])).toBe('0.50 × (0.25 – 0.50)');
});
