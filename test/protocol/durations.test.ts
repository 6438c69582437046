import { describe, expect, it } from 'vitest';
import { describeDuration, parseDuration } from '../../src/protocol/index.ts';

describe('parseDuration', () => {
  it.each([
    ['5s', 5000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['30d', 2_592_000_000],
    ['500ms', 500],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', 's', '0s', '-5s', '5 s', '1.5h', '5x', '9999999999s'])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('describeDuration', () => {
  it.each([
    [570_000, '9 minutes 30 seconds'],
    [3_600_000, '1 hour'],
    [86_400_000 * 30, '30 days'],
    [3_605_000, '1 hour'],
    [3_599_985, '1 hour'],
    [999, 'less than a second'],
    [-5, 'less than a second'],
  ])('says %i ms as %s', (ms, words) => {
    expect(describeDuration(ms)).toBe(words);
  });
});
