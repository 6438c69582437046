import { describe, expect, it } from 'vitest';
import {
  AROUND,
  anchorOf,
  isAtEnd,
  topFor,
  topOf,
  windowOf,
} from '../../../src/live/exchanges/window.ts';

const LINE = 52;
const at = (top: number, height = 520) => ({ top, height, line: LINE });
const rows = (begin: number, end: number) =>
  Array.from({ length: end - begin }, (_, index) => ({ key: (begin + index) * 2 + 1 }));

describe('the window of a long list', () => {
  it('makes what is seen and a few around it, however long the list is', () => {
    expect(windowOf(at(5_000 * LINE), 10_000)).toEqual({
      begin: 5_000 - AROUND,
      end: 5_010 + AROUND,
    });
    expect(windowOf(at(0), 10_000)).toEqual({ begin: 0, end: 10 + AROUND });
    expect(windowOf(at(9_990 * LINE), 10_000)).toEqual({ begin: 9_990 - AROUND, end: 10_000 });
  });

  it('makes nothing outside the list', () => {
    expect(windowOf(at(0), 3)).toEqual({ begin: 0, end: 3 });
    expect(windowOf(at(0), 0)).toEqual({ begin: 0, end: 0 });
    // The list became shorter than what is scrolled to; and pulled beyond its top.
    expect(windowOf(at(9_000 * LINE), 10)).toEqual({ begin: 10, end: 10 });
    expect(windowOf(at(-300), 100)).toEqual({ begin: 0, end: 10 + AROUND });
  });

  it('follows while the end is seen', () => {
    expect(isAtEnd(at(90 * LINE), 100)).toBe(true);
    expect(isAtEnd(at(90 * LINE - 10), 100)).toBe(true);
    expect(isAtEnd(at(89 * LINE), 100)).toBe(false);
    expect(isAtEnd(at(0), 3)).toBe(true);
  });

  it('stays with what the reader looks at when lines before it go', () => {
    const anchor = anchorOf(at(50 * LINE + 7), rows(0, 100));
    expect(anchor).toEqual({ key: 101, above: 7 });
    if (anchor === undefined) throw new Error('There is an anchor.');
    expect(topOf(anchor, LINE, rows(20, 140))).toBe(30 * LINE + 7);
    // It is gone itself: the next one after it.
    expect(topOf(anchor, LINE, rows(80, 200))).toBe(7);
  });

  it('scrolls as little as it takes to show a line', () => {
    expect(topFor(50, at(48 * LINE))).toBeUndefined();
    expect(topFor(40, at(48 * LINE))).toBe(40 * LINE);
    expect(topFor(60, at(48 * LINE))).toBe(61 * LINE - 520);
  });
});
