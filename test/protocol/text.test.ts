import { describe, expect, it } from 'vitest';
import {
  displayJson,
  displayLines,
  displayText,
  displayUserCode,
  isShortText,
  isStorableText,
  maskEmail,
  normalizeEmail,
  normalizeUserCode,
  wireText,
} from '../../src/protocol/index.ts';

it.each([
  ['', true],
  ['a'.repeat(512), true],
  ['a'.repeat(513), false],
  ['é'.repeat(256), true],
  ['é'.repeat(257), false],
  ['€'.repeat(170), true],
  [`${'€'.repeat(170)}ab`, true],
  ['€'.repeat(171), false],
  ['😀'.repeat(128), true],
  ['😀'.repeat(129), false],
])('counts the bytes of a text, not its characters: %#', (text, isShort) => {
  expect(isShortText(text)).toBe(isShort);
});

describe('displayText', () => {
  it.each([
    ['\u001b[2Kcode: 000000', 'code: 000000'],
    ['\u001b]52;c;ZXZpbA==\u0007ok', 'ok'],
    ['\u001b]8;;https://evil.test\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['a\u202eb\u2066c\u200bd', 'abcd'],
    ['\u009b31mred', 'red'],
    ['one\r\ntwo\tthree', 'one two three'],
    ['a\u0000b', 'ab'],
    ['\ud800x', '\ufffdx'],
    ['a\ufe0fb\u{e0100}c\u{e01ef}d', 'abcd'],
    ['a\u034fb\u115fc\u1160d\u3164e\u2800f', 'abcdef'],
    ['unterminated \u001b]52;c;abc', 'unterminated '],
  ])('cleans %j', (hostile, clean) => {
    expect(displayText(hostile)).toBe(clean);
  });

  it('leaves plain text of any language alone', () => {
    expect(displayText('Zażółć gęślą jaźń — 你好 🙂')).toBe('Zażółć gęślą jaźń — 你好 🙂');
  });

  it('caps the length', () => {
    expect(displayText('x'.repeat(1000), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});

describe('displayLines', () => {
  it('cleans each line and keeps them apart, whatever ends them', () => {
    expect(displayLines('a\u001b[2Kb\r\n\n\tc\rd\u2028e\u202ef\n\n')).toBe('ab\n\n    c\nd\nef');
  });

  it('ends an unterminated escape sequence with its line', () => {
    expect(displayLines('\u001b]52;c;abc\nplain')).toBe('\nplain');
  });

  it('cuts no line short', () => {
    const long = 'x'.repeat(10_000);
    expect(displayLines(long)).toBe(long);
  });
});

describe('wireText', () => {
  it('stays within what error_description may hold', () => {
    expect(wireText('say "no" to \\ and é\n')).toBe("say 'no' to ' and ??");
  });
});

describe('isStorableText', () => {
  it('refuses U+0000 and unpaired surrogates', () => {
    expect(isStorableText('ok 🙂')).toBe(true);
    expect(isStorableText('a\0b')).toBe(false);
    expect(isStorableText('a\ud800')).toBe(false);
  });
});

describe('normalizeEmail', () => {
  it.each([
    ['Alice@Example.COM', 'alice@example.com'],
    ["o'neil+tag@a-b.test", "o'neil+tag@a-b.test"],
    ['a@localhost', 'a@localhost'],
  ])('takes %s', (given, expected) => {
    expect(normalizeEmail(given)).toBe(expected);
  });

  it.each([
    '',
    'alice',
    '@a.test',
    'a@',
    'a@b@c',
    'a b@c.test',
    '"a b"@c.test',
    'а@example.com',
    'a@exаmple.com',
    '\u212Aate@example.com',
    'a@example.com.',
    '.a@example.com',
    'a..b@example.com',
    'a@-x.test',
    'a@x.test\r\n',
    `${'a'.repeat(250)}@b.test`,
  ])('refuses %j', (given) => {
    expect(normalizeEmail(given)).toBeUndefined();
  });

  it('shows a stranger little of an email address', () => {
    expect(maskEmail('alice@example.com')).toBe('a•••@example.com');
  });
});

describe('user codes', () => {
  it('are shown in groups and read back without them', () => {
    expect(displayUserCode('012345')).toBe('012 345');
    expect(displayUserCode('BCDFGHJK')).toBe('BCDF GHJK');
    expect(displayUserCode('1234567890')).toBe('12345 67890');
    expect(displayUserCode('12345')).toBe('12345');
    expect(displayUserCode('WDJB-MJHT')).toBe('WDJB-MJHT');
    expect(displayUserCode('WDJBMJ', '-')).toBe('WDJ-BMJ');
    expect(normalizeUserCode(' 012-345 ')).toBe('012345');
    expect(normalizeUserCode('wdjb–mjht')).toBe('WDJBMJHT');
  });
});

describe('JSON that is printed', () => {
  it('is Unicode, shows no control and no bidi character, and says the same', () => {
    const value = { a: 'x\ud800y', b: '\u202e\u009b\u2066', c: '\\ud800 \u{1f600}' };
    const text = displayJson(JSON.stringify(value));
    expect(JSON.parse(text)).toEqual({ ...value, a: 'x\ufffdy' });
    expect(text).not.toMatch(/[\u202e\u009b\u2066]|\\ud800y/);
  });
});
