import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bitsToGuess, randomBits } from '../../../../src/conformance/service/steps/entropy.ts';

const eight = (make: (at: number) => string) => Array.from({ length: 8 }, (_, at) => make(at));

describe('bitsToGuess', () => {
  it.each([
    ['base64url of 16 bytes', () => randomBytes(16).toString('base64url')],
    ['hex of 16 bytes', () => randomBytes(16).toString('hex')],
    ['a prefix and 20 bytes', () => `at_${randomBytes(20).toString('base64url')}`],
    ['a random UUID', () => randomUUID()],
  ])('finds %s long enough', (_what, make) => {
    expect(bitsToGuess(eight(make))).toBeGreaterThanOrEqual(115);
  });

  it.each([
    ['a counter', (at: number) => `at_000000000000000000000000000${at}`],
    ['four bytes', () => randomBytes(4).toString('hex')],
    ['one token again and again', () => 'at_always-the-same-and-very-long-token'],
  ])('finds %s too short', (_what, make) => {
    expect(bitsToGuess(eight(make))).toBeLessThan(64);
  });
});

describe('randomBits', () => {
  it('are those of the places that differ', () => {
    expect(randomBits(['clm_0001', 'clm_0002', 'clm_0003'])).toBeCloseTo(Math.log2(10));
    expect(randomBits(['a0', 'b1', 'cf'])).toBe(8);
    expect(randomBits(['same', 'same'])).toBe(0);
  });
});
