import { describe, expect, it } from 'vitest';
import { plainLines, plainText } from '../../../src/conformance/engine/plain-text.ts';

describe('plain text', () => {
  it.each([
    ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
    ['a C1 control', '\u009b2J', '\\u009b2J'],
    ['a bidi override', 'a\u202eb', 'a\\u202eb'],
    ['a bidi isolate', 'a\u2066b', 'a\\u2066b'],
    ['a zero-width joiner', 'a\u200db', 'a\\u200db'],
    ['a tag character', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['a variation selector', 'a\u{e0101}b', 'a\\u{e0101}b'],
    ['an invisible letter', 'a\u3164b', 'a\\u3164b'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
    ['a carriage return', 'good\rbad', 'good\\u000dbad'],
  ])('shows %s and does not act on it', (_what, text, shown) => {
    expect([plainText(text), plainLines(text)]).toEqual([shown, shown]);
  });

  it('leaves ordinary text alone', () => {
    const text = 'Größe 尺寸 🙂 «ok» – 100 %';
    expect(plainText(text)).toBe(text);
  });

  it('ends after its limit, between two characters', () => {
    expect(plainText('abcdef', 3)).toBe('abc…');
    expect(plainText('ab🙂', 3)).toBe('ab…');
  });

  it('is one line, or keeps its lines', () => {
    expect(plainText('a\r\nb\tc')).toBe('a b c');
    expect(plainLines('a\r\nb\tc')).toBe('a\nb c');
  });
});
