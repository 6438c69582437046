import { describe, expect, it } from 'vitest';
import { describeDuration, describeLeft, parseDuration } from '../../src/protocol/index.ts';

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
    [999, 'less than a second'],
    [-5, 'less than a second'],
  ])('says %i ms as %s', (ms, words) => {
    expect(describeDuration(ms)).toBe(words);
  });
});

describe('describeLeft', () => {
  it.each([
    [3_600_000, '1 hour'],
    [3_598_400, '1 hour'],
    [3_597_000, '59 minutes 57 seconds'],
    [59_000, '59 seconds'],
    [-5, 'less than a second'],
  ])('says %i ms as %s', (ms, words) => {
    expect(describeLeft(ms)).toBe(words);
  });
});
