import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/runtime/nearest.ts';

describe('the name that was probably meant', () => {
  it.each([
    ['--provider-port', '--provider-name'],
    ['tcsh', 'bash'],
  ])('of %s is not %s', (typed, other) => {
    expect(nearest(typed, [other])).toBeUndefined();
  });

  it.each([
    ['mcok', 'mock'],
    ['cliam', 'claim'],
    ['--provder-nmae', '--provider-name'],
  ])('of %s is %s', (typed, meant) => {
    expect(nearest(typed, [meant])).toBe(meant);
  });
});
