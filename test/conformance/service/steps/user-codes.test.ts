import { describe, expect, it } from 'vitest';
import {
  codeBits,
  halves,
  wrongCodes,
} from '../../../../src/conformance/service/steps/user-codes.ts';

describe('wrong codes', () => {
  it.each([['123456'], ['000000'], ['BCDF-GHJK']])(
    'are like %s, different, and not right',
    (code) => {
      const codes = wrongCodes(code, 25);
      expect(new Set(codes).size).toBe(25);
      expect(codes).not.toContain(code);
      const pattern = /^\d+$/.test(code) ? /^\d{6}$/ : /^[BCDFGHJK]{4}-[BCDFGHJK]{4}$/;
      expect(codes.filter((each) => !pattern.test(each))).toEqual([]);
    },
  );

  it('are halves of the right one, but for what is the same number', () => {
    const texts = (code: string) => halves(code).map(([, half]) => half);
    expect(texts('BCD-FGH')).toEqual(['BCD', 'FGH']);
    expect(texts('000123')).toEqual(['000']);
  });

  it('have more bits the longer they are', () => {
    expect(codeBits('123 456')).toBeCloseTo(19.9, 1);
    expect(codeBits('BCDF-GHJK')).toBeCloseTo(34.6, 1);
  });
});
