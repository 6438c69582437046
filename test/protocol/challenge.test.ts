import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildChallenge, findChallenge, parseChallenges } from '../../src/protocol/index.ts';

describe('parseChallenges', () => {
  it('reads quoted and unquoted parameters', () => {
    const field = 'Bearer resource_metadata="https://a.test/x, y", error=invalid_token';
    expect(parseChallenges(field)).toEqual([
      {
        scheme: 'Bearer',
        params: { resource_metadata: 'https://a.test/x, y', error: 'invalid_token' },
        unquoted: [],
      },
    ]);
  });

  it('reads an unquoted URL, which RFC 9110 does not allow', () => {
    const challenge = findChallenge('Bearer resource_metadata=https://a.test/x?y=1', 'bearer');
    expect(challenge?.params['resource_metadata']).toBe('https://a.test/x?y=1');
    expect(challenge?.unquoted).toEqual(['resource_metadata']);
  });

  it('survives unknown schemes and several challenges in one field', () => {
    const field =
      'Negotiate, Weird abc123==, AgentAuth error="login_required", max_age="10", BEARER realm="r"';
    expect(parseChallenges(field).map(({ scheme }) => scheme)).toEqual([
      'Negotiate',
      'Weird',
      'AgentAuth',
      'BEARER',
    ]);
    expect(findChallenge(field, 'AgentAuth')?.params).toEqual({
      error: 'login_required',
      max_age: '10',
    });
    expect(findChallenge(field, 'Bearer')?.params['realm']).toBe('r');
  });

  it('undoes escapes, ignores the case of names, keeps the first of two values', () => {
    expect(parseChallenges('Bearer Realm="a\\"b\\\\c", realm="second"')[0]?.params).toEqual({
      realm: 'a"b\\c',
    });
  });

  it('takes white space around the equals sign', () => {
    expect(findChallenge('Bearer error = "invalid_token"', 'Bearer')?.params['error']).toBe(
      'invalid_token',
    );
  });

  it.each(['', ',,,', '=x', '"', 'Bearer "', 'Bearer a="unterminated', '\u0000', 'Bearer ='])(
    'never throws on %j',
    (field) => {
      expect(Array.isArray(parseChallenges(field))).toBe(true);
    },
  );

  it('never throws and ends on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (field) => {
        parseChallenges(field);
      }),
    );
  });

  it('does not confuse a parameter name with the prototype', () => {
    expect(parseChallenges('Bearer __proto__="x"')[0]?.params['constructor']).toBeUndefined();
  });
});

describe('buildChallenge', () => {
  it('reads back what it built, whatever the printable value', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x20-\x7e]*$/), (value) => {
        expect(findChallenge(buildChallenge('Bearer', { error: value }), 'Bearer')?.params).toEqual(
          { error: value },
        );
      }),
    );
  });

  it('leaves out what is undefined', () => {
    expect(buildChallenge('Bearer', { error: undefined })).toBe('Bearer');
  });

  it.each(['a\r\nSet-Cookie: x', 'a\0', 'ü'])('refuses %j, which could split a header', (value) => {
    expect(() => buildChallenge('Bearer', { error: value })).toThrow(TypeError);
  });
});
