import { describe, expect, it } from 'vitest';
import {
  countdown,
  describeOffset,
  pageUrl,
  shortId,
  timeOfDay,
  visibleLine,
  visibleText,
} from '../../../src/live/parts/texts.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';

const NOW = Date.UTC(2026, 0, 5, 9, 30);

describe('a countdown', () => {
  it.each([
    [1, '0:01'],
    [1_000, '0:01'],
    [598_001, '9:59'],
    [3_600_000, '1:00:00'],
    [3_727_000, '1:02:07'],
    [25 * 3_600_000, '25:00:00'],
    [50 * 3_600_000, '2 d 2 h'],
  ])('shows %i ms as %s', (left, shown) => {
    expect(countdown(NOW + left, NOW)).toBe(shown);
  });

  it('is over at its end, after it, and for a time that is none', () => {
    expect(countdown(NOW, NOW)).toBeUndefined();
    expect(countdown(NOW - 5_000, NOW)).toBeUndefined();
    expect(countdown(Number.NaN, NOW)).toBeUndefined();
  });

  it('says how far a clock was moved', () => {
    expect(describeOffset(0)).toBeUndefined();
    expect(describeOffset(11 * 60_000)).toBe('+11 minutes');
    expect(describeOffset(25 * 3_600_000 + 61_000)).toBe('+1 day 1 hour');
    expect(describeOffset(-90_000)).toBe('−1 minute 30 seconds');
    expect(timeOfDay('2026-01-05T09:30:07.123Z')).toBe('09:30:07');
    expect(timeOfDay('soon')).toBe('');
  });
});

describe('a stranger’s text', () => {
  it('shows what could not be seen, or would turn what follows', () => {
    expect(visibleText('a\u202eb\u0000c\u200bd\u{e0041}e\ufeff')).toBe(
      'a\\u{202e}b\\u{0}c\\u{200b}d\\u{e0041}e\\u{feff}',
    );
    expect(visibleText('\u001b[31mred\u009b0m')).toBe('\\u{1b}[31mred\\u{9b}0m');
    expect(visibleText('\ud800')).toBe('\\u{d800}');
  });

  it('is left as it is where it can be seen: lines, accents, other scripts, joined signs', () => {
    const text = 'Zoë\n\t𝄞é漢 שלום 👩\u200d👧 <b>&amp;</b>';
    expect(visibleText(text)).toBe(text);
  });

  it('is cut in a line, between letters', () => {
    expect(visibleLine('one\n\n  two', 20)).toBe('one two');
    expect(visibleLine('𝄞'.repeat(30), 20)).toBe(`${'𝄞'.repeat(20)}…`);
    expect(visibleLine('x'.repeat(10_000), 20)).toHaveLength(21);
    for (const text of HOSTILE_TEXTS) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
      expect(visibleLine(text, 100)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u200b]/);
    }
  });
});

describe('the page of a claim', () => {
  it('is opened where a browser may go, and nowhere else', () => {
    expect(pageUrl('/c/abc', 'http://127.0.0.1:4800')).toBe('http://127.0.0.1:4800/c/abc');
    expect(pageUrl('https://tern.example/c', 'http://127.0.0.1:4800')).toBe(
      'https://tern.example/c',
    );
    for (const page of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'http://',
    ]) {
      expect(pageUrl(page, 'http://127.0.0.1:4800')).toBeUndefined();
    }
  });
});

it('shows enough of an id to tell registrations of the same user apart', () => {
  expect(shortId('reg_aHkE8ndwrpnaKZro9dxWPdN3WMk')).toBe('reg_aHkE8n…');
  expect(shortId('reg_1')).toBe('reg_1');
});
