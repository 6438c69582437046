import { describe, expect, it } from 'vitest';
import { isFingerprint, jsonLines } from '../../../src/live/details/json-lines.ts';

/** As a reader sees it. */
function written(value: unknown): string {
  return jsonLines(value)
    .map(({ depth, name, value: { kind, text, ...more } }) => {
      const comma = 'isLast' in more && !more.isLast ? ',' : '';
      const shown = kind === 'text' || kind === 'secret' ? JSON.stringify(text) : text;
      return `${'  '.repeat(depth)}${name === undefined ? '' : `${JSON.stringify(name)}: `}${shown}${comma}`;
    })
    .join('\n');
}

describe('a body, line by line', () => {
  it.each([
    [{ a: 1, b: ['x', null, true], c: {}, d: [], e: { f: 'g' } }],
    [[]],
    ['text'],
    [[{ __proto__: 1, '<b>': '\u202e' }]],
  ])('is the JSON that it was: %j', (value) => {
    expect(written(value)).toBe(JSON.stringify(value, null, 2));
  });

  it('tells a fingerprint from other text', () => {
    const lines = jsonLines({ token: 'secret~Xy_-12', text: 'a secret~ is not one' });
    expect(lines.map(({ value }) => value.kind)).toEqual(['mark', 'secret', 'text', 'mark']);
    expect(isFingerprint('Bearer secret~abc')).toBe(false);
  });

  it('ends, however deep or long the body is', () => {
    let deep: unknown = 'end';
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
    expect(jsonLines(deep).length).toBeLessThan(200);
    expect(jsonLines(Array.from({ length: 100_000 }, () => 1)).length).toBeLessThanOrEqual(5_000);
  });
});
