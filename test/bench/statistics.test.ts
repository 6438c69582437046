import { describe, expect, it } from 'vitest';
import { readCoreList } from '../../bench/measure/machine.js';
import { median, ratios, shuffled, spread } from '../../bench/measure/statistics.js';
import { readWrk } from '../../bench/measure/wrk.js';

describe('the figures of several runs', () => {
  it('are their middle, least and most', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(spread([30, 10, 20])).toEqual({ median: 20, min: 10, max: 30 });
    expect(() => median([])).toThrow(RangeError);
  });

  it('are compared run by run', () => {
    // Both were slow in the second run: that is the machine, not the ratio.
    expect(ratios([100, 10, 100], [200, 20, 400])).toEqual({ median: 0.5, min: 0.25, max: 0.5 });
    expect(() => ratios([1], [1, 2])).toThrow(RangeError);
  });

  it('come in another order, none lost', () => {
    const items = [1, 2, 3, 4, 5];
    expect(shuffled(items).sort()).toEqual(items);
  });
});

describe('what wrk printed', () => {
  const line = (more: object) =>
    `Running 1s test\n${JSON.stringify({ requests: 500, microseconds: 2_000_000, refused: 0, wrong: 0, broken: 0, ...more })}\n`;

  it('is read as a rate', () => {
    const expected = { rate: 250, answers: 500, errors: 0 };
    expect(readWrk(line({}), 'ok')).toEqual(expected);
  });

  it('counts refusals and missing answers as errors', () => {
    expect(readWrk(line({ refused: 3, broken: 1 }), 'ok').errors).toBe(4);
  });

  it('takes a pending poll for what was asked for, and any other answer for none', () => {
    expect(readWrk(line({ refused: 500 }), 'pending').errors).toBe(0);
    expect(readWrk(line({ refused: 500, wrong: 4 }), 'pending').errors).toBe(4);
  });

  it('is an error when the result is missing', () => {
    expect(() => readWrk('unable to connect', 'ok')).toThrow('unable to connect');
  });
});

it('reads the list of cores as Linux writes it', () => {
  expect(readCoreList('0-2,5')).toEqual([0, 1, 2, 5]);
  expect(readCoreList('3')).toEqual([3]);
});
