import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJwt, isJwtType, parseJsonObject } from '../../src/protocol/index.ts';

describe('parseJsonObject', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const text = JSON.stringify(value);
        const result = parseJsonObject(text);
        if (result.ok) expect(result.value).toEqual(JSON.parse(text));
        else expect(result.problem).toBe('unstorable_text');
      }),
    );
  });

  it.each([
    ['', 'not_json'],
    ['{', 'not_json'],
    ['{"a":1}x', 'not_json'],
    ['[]', 'not_an_object'],
    ['null', 'not_an_object'],
    ['"text"', 'not_an_object'],
    ['{"a":1,"a":2}', 'duplicate_member'],
    ['{"alg":1,"\\u0061lg":2}', 'duplicate_member'],
    ['{"x":[{"a":1,"a":2}]}', 'duplicate_member'],
    ['{"a":"\\u0000"}', 'unstorable_text'],
    ['{"a":["\\ud800"]}', 'unstorable_text'],
    ['{"\\u0000":1}', 'unstorable_text'],
    ['['.repeat(100_000), 'too_deep'],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'too_deep'],
  ])('refuses %.30s as %s', (text, problem) => {
    expect(parseJsonObject(text)).toEqual({ ok: false, problem });
  });

  it('looks once at a string that does not end, however many quotes it escapes', () => {
    const once = (text: string) => {
      const start = performance.now();
      parseJsonObject(text);
      return performance.now() - start;
    };
    // The quickest of many: a busy machine makes some of them slow, not all.
    const time = (quotes: number) => {
      const text = `"${'\\"'.repeat(quotes)}`;
      return Math.min(...Array.from({ length: 40 }, () => once(text)));
    };
    time(2000);
    // Sixteen times the length takes about sixteen times as long; a rescan would take 256 times.
    expect(time(32_000) / time(2000)).toBeLessThan(80);
  });

  it('allows the same name in different objects, and as a value', () => {
    expect(parseJsonObject('{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"a","d":["a","a"]}').ok).toBe(
      true,
    );
  });

  it('is not misled by brackets and quotes inside text', () => {
    expect(parseJsonObject('{"a":"}],\\"a\\":1","b":"[[["}').ok).toBe(true);
  });

  it('keeps __proto__ as a plain member', () => {
    const result = parseJsonObject('{"__proto__":{"admin":true}}');
    expect(result.ok && Object.hasOwn(result.value, '__proto__')).toBe(true);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('decodeJwt', () => {
  const part = (text: string) => Buffer.from(text).toString('base64url');

  it('decodes header and claims', () => {
    expect(decodeJwt(`${part('{"alg":"ES256"}')}.${part('{"sub":"ü"}')}.c2ln`)).toEqual({
      header: { alg: 'ES256' },
      payload: { sub: 'ü' },
    });
  });

  it.each([
    'a.b',
    'a.b.c.d',
    `${part('{}')}=.${part('{}')}.x`,
    ` ${part('{}')}.${part('{}')}.x`,
    `${part('{}')}.${part('{}')}.x\n`,
    `${part('[]')}.${part('{}')}.x`,
    `${part('{"a":1,"a":2}')}.${part('{}')}.x`,
    `A.${part('{}')}.x`,
    `${part('{}')}.${Buffer.from([0xff]).toString('base64url')}.x`,
    `${part('{}')}.${part(`{"a":"${'x'.repeat(20_000)}"}`)}.x`,
  ])('refuses %.40s', (token) => {
    expect(decodeJwt(token)).toBeUndefined();
  });

  it('compares typ without regard to case and prefix', () => {
    expect(isJwtType('Application/SECEVENT+jwt', 'secevent+jwt')).toBe(true);
    expect(isJwtType('JWT', 'secevent+jwt')).toBe(false);
    expect(isJwtType(undefined, 'secevent+jwt')).toBe(false);
  });
});
