import fc from 'fast-check';
import { expect, it } from 'vitest';
import { publishedOf, signerOf, spanOf } from '../../../src/mock/keys/succession.ts';

const key = fc.record({
  kid: fc.constantFrom('a', 'b', 'c', 'd'),
  algorithm: fc.constantFrom('ES256' as const, 'EdDSA' as const),
  signsFrom: fc.integer({ min: -3, max: 30 }),
});

it('says how long an answer about the keys holds', () => {
  const instant = fc.integer({ min: -10, max: 60 });
  fc.assert(
    fc.property(fc.array(key), fc.nat(20), instant, instant, (keys, keepFor, now, other) => {
      const { from, until } = spanOf(keys, keepFor, now);
      expect(from <= now && now < until).toBe(true);
      if (other < from || other >= until) return;
      expect(publishedOf(keys, keepFor, other)).toEqual(publishedOf(keys, keepFor, now));
      expect(signerOf(keys, 'ES256', other)).toBe(signerOf(keys, 'ES256', now));
    }),
  );
});
