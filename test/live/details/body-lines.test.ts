import { describe, expect, it } from 'vitest';
import {
  contentType,
  formLines,
  isFingerprint,
  jsonLines,
} from '../../../src/live/details/body-lines.ts';

/** As a reader sees it. */
function written(value: unknown): string {
  return jsonLines(value)
    .map(({ comma, depth, joint, kind, name, quote, sign, text }) => {
      // Without its quotes it is no text of the sender's.
      const around = kind === 'secret' ? '"' : quote;
      const lead = name === undefined ? '' : name + joint;
      return `${'  '.repeat(depth)}${sign}${lead}${around}${text}${around}${comma}`;
    })
    .join('\n');
}

describe('a body, line by line', () => {
  it.each([
    [{ a: 1, b: ['x', null, true], c: {}, d: [], e: { f: 'g' } }],
    [[]],
    ['text'],
    [[{ __proto__: 1, '<b>': '\u202e' }]],
    [['"a": b', 'a, b,', '{', '\u2028\n', '\\"']],
    [{ '"x": y': '\\"' }],
  ])('is the JSON that it was: %j', (value) => {
    expect(written(value)).toBe(JSON.stringify(value, null, 2));
  });

  it('tells a fingerprint from other text', () => {
    const lines = jsonLines({ token: 'secret~Xy_-12', text: 'a secret~ is not one', mark: '{' });
    const kinds = ['mark', 'secret', 'text', 'text', 'mark'];
    expect(lines.map(({ kind }) => kind)).toEqual(kinds);
    expect(isFingerprint('Bearer secret~abc')).toBe(false);
  });

  it('ends, however long the body is', () => {
    expect(jsonLines(Array.from({ length: 100_000 }, () => 1)).length).toBeLessThanOrEqual(5_000);
  });
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };

describe('a body that was sent as a form', () => {
  it('is no JSON, though it is kept as an object', () => {
    expect(formLines({ 'content-type': 'application/json' }, { a: 'b' })).toBeUndefined();
    expect(formLines({}, { a: 'b' })).toBeUndefined();
  });

  it('has its content type beside it, without parameters', () => {
    expect(contentType(FORM)).toBe('application/x-www-form-urlencoded');
    expect(contentType({ 'Content-Type': 'Application/JSON' })).toBe('application/json');
    expect(contentType({})).toBeUndefined();
  });

  it('is shown pair by pair, each value of a name that comes twice', () => {
    const pairs = ['grant_type=a', '&resource=b', '&resource=c'];
    const sent = (body: unknown) =>
      formLines(FORM, body)?.map(({ joint, name, sign, text }) => `${sign}${name}${joint}${text}`);
    expect(sent({ grant_type: 'a', resource: ['b', 'c'] })).toEqual(pairs);
    const jwt = { claims: { iss: 'a' } };
    const [pair, ...shown] = formLines(FORM, { assertion: jwt }) ?? [];
    expect([pair?.name, pair?.text]).toEqual(['assertion', '']);
    expect(shown).toEqual(jsonLines(jwt).map((each) => ({ ...each, depth: each.depth + 1 })));
    expect(formLines(FORM, 'not read')).toBeUndefined();
  });
});
