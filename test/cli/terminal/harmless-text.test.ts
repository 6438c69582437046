import { describe, expect, it } from 'vitest';
import { HarmlessText } from '../../../src/cli/terminal/harmless-text.ts';

/** What is shown of a text that arrives in these parts. */
function shown(...parts: readonly string[]): { text: string; changed: boolean } {
  const harmless = new HarmlessText();
  const text = parts.map((part) => harmless.push(part)).join('') + harmless.end();
  return { text, changed: harmless.changed };
}

describe('text of a peer on a terminal', () => {
  it.each<[string, readonly string[], string]>([
    ['writes to no clipboard (OSC 52)', ['a\u001b]52;c;aGk=\u0007b'], 'ab'],
    ['clears no screen', ['a\u001b[2J\u001b[Hb'], 'ab'],
    ['clears no screen with a CSI of one character', ['a\u009b2Jb'], 'ab'],
    ['clears no screen by a sequence in two parts', ['a\u001b[', '2Jb'], 'ab'],
    ['does not turn its direction', ['a\u202eb\u2066c'], 'abc'],
    ['overwrites no line with a carriage return', ['real\rfake'], 'real\nfake'],
    ['moves nothing back', ['a\b\b\bb'], 'ab'],
  ])('%s', (_what, parts, text) => {
    expect(shown(...parts).text).toBe(text);
  });

  it.each<[string, readonly string[], string]>([
    ['lines, empty ones too', ['a\n\n', '  b\n'], 'a\n\n  b\n'],
    ['line breaks of Windows, also in two parts', ['a\r', '\nb\r\n', 'c'], 'a\nb\nc'],
    ['tabs', ['\ta'], '    a'],
    ['letters of every kind', ['é 漢字 ', '🜂'], 'é 漢字 🜂'],
  ])('keeps %s, and leaves nothing out', (_what, parts, text) => {
    expect(shown(...parts)).toEqual({ text, changed: false });
  });

  it('keeps a line of a million characters whole, and holds little of it', () => {
    const harmless = new HarmlessText();
    const line = '🜂'.repeat(500_000);
    const first = harmless.push(`x${line}`);
    expect(first.length).toBeGreaterThan(900_000);
    expect(first + harmless.end()).toBe(`x${line}`);
  });

  it('says that something was left out', () => {
    expect(shown('a\u200bb').changed).toBe(true);
  });
});
