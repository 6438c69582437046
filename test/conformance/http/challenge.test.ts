import { describe, expect, it } from 'vitest';
import { challengeParameter, readChallenges } from '../../../src/conformance/http/challenge.ts';

describe('a challenge that is judged', () => {
  it('may stand among others, with quotes, commas and escapes in its parameters', () => {
    const field =
      'Basic realm="a, b", Newauth abc==, BEARER Realm="say \\"hi\\" \\\\", error=invalid_token';
    expect(readChallenges(field)).toEqual([
      { scheme: 'basic', parameters: [['realm', 'a, b']] },
      { scheme: 'newauth', token68: 'abc==', parameters: [] },
      {
        scheme: 'bearer',
        parameters: [
          ['realm', 'say "hi" \\'],
          ['error', 'invalid_token'],
        ],
      },
    ]);
  });

  it('keeps a parameter that was sent twice, and is read by the first', () => {
    const field = 'Bearer error="a", error="b"';
    expect(readChallenges(field)?.[0]?.parameters).toEqual([
      ['error', 'a'],
      ['error', 'b'],
    ]);
    expect(challengeParameter(field, 'bearer', 'error')).toBe('a');
    expect(challengeParameter(field, 'dpop', 'error')).toBeUndefined();
    expect(challengeParameter(undefined, 'bearer', 'error')).toBeUndefined();
  });

  it.each([
    ['nothing before its parameter', '="a"'],
    ['a broken end', 'Bearer error="a", "b"'],
    ['an open quote', 'Bearer error="a'],
    ['a scheme with something glued to it', 'Bearer/x error="a"'],
    ['a scheme in brackets', '(Bearer) error="a"'],
  ])('follows the grammar or is not read: %s', (_what, field) => {
    expect(readChallenges(field)).toBeUndefined();
    expect(challengeParameter(field, 'bearer', 'error')).toBeUndefined();
  });

  it('may be no challenge at all', () => {
    expect(readChallenges('')).toEqual([]);
    expect(readChallenges(' , ,')).toEqual([]);
    expect(readChallenges('Bearer')).toEqual([{ scheme: 'bearer', parameters: [] }]);
  });
});
