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
    // Written as they would be written again, and not.
    ['{"b":{"a":1,"a":2},"c":3}', 'duplicate_member'],
    ['{ "a" : 1 , "a" : 2 }', 'duplicate_member'],
    ['{"1":1,"0":0,"1":1}', 'duplicate_member'],
    ['{"a":"\ud800"}', 'unstorable_text'],
    ['{"\udc00":1}', 'unstorable_text'],
    ['{ "a": ["\\ud800"] }', 'unstorable_text'],
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

  it('counts how deep brackets nest, not how many there are', () => {
    const flat = `[${'[],'.repeat(99)}[]]`;
    expect(parseJsonObject(`{"a":${flat}}`).ok).toBe(true);
    expect(parseJsonObject(`{"a":"${'['.repeat(99)}"}`).ok).toBe(true);
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(parseJsonObject(nested(32)).ok).toBe(true);
    expect(parseJsonObject(nested(33))).toEqual({ ok: false, problem: 'too_deep' });
  });

  it('judges a text alike, with white space or without', () => {
    const members = fc.array(fc.tuple(fc.constantFrom('a', 'b', '0', '1', ''), fc.jsonValue()));
    fc.assert(
      fc.property(members, (given) => {
        const written = (space: string) =>
          `{${given.map(([name, value]) => `${space}"${name}":${space}${JSON.stringify(value)}`)}}`;
        const repeats = new Set(given.map(([name]) => name)).size < given.length;
        const problems = ['', ' '].map((space) => {
          const result = parseJsonObject(written(space));
          return result.ok ? undefined : result.problem;
        });
        expect(problems[0]).toBe(problems[1]);
        if (repeats) expect(problems).not.toContain(undefined);
      }),
    );
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

  it('decodes what any text was encoded to', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string()), (payload) => {
        const text = JSON.stringify(payload);
        const result = parseJsonObject(text);
        const decoded = decodeJwt(`${part('{}')}.${part(text)}.`);
        expect(decoded?.payload).toEqual(result.ok ? result.value : undefined);
      }),
    );
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
