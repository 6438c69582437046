import { describe, expect, it } from 'vitest';
import { readingOf, readTime } from '../../../src/agent/dialects/reading.ts';
import { answerOf, NOW } from './answer-of.ts';

const read = (value: unknown) =>
  readTime(readingOf(answerOf({}), 'The endpoint'), 'expires_at', value);

describe('an instant of an answer', () => {
  it.each<[string, unknown, number | null]>([
    ['RFC 3339', '2026-09-01T12:00:00.000Z', Date.UTC(2026, 8, 1, 12)],
    ['another offset', '2026-09-01T14:00:00+02:00', Date.UTC(2026, 8, 1, 12)],
    ['a space between date and time', '2026-09-01 12:00:00Z', Date.UTC(2026, 8, 1, 12)],
    ['a day', '2026-09-01', Date.UTC(2026, 8, 1)],
    ['seconds since the epoch', 1_788_264_000, 1_788_264_000_000],
    ['milliseconds since the epoch', 1_788_264_000_000, 1_788_264_000_000],
    ['seconds since the epoch as text', '1788264000', 1_788_264_000_000],
    ['seconds from now', 3600, NOW + 3_600_000],
    ['half a second from now', 0.5, NOW + 500],
    ['never', null, null],
    ['nothing', undefined, null],
    ['more than can be shown', 1e300, Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('is read from %s', (_what, value, instant) => {
    expect(read(value)).toBe(instant);
  });

  it.each<[string, unknown]>([
    ['an object of a date library', { seconds: 1_788_264_000 }],
    ['a list', [3600]],
    ['yes', true],
    ['zero', 0],
    ['less than zero', -5],
    ['words', 'in an hour'],
    ['a day that is none', '2026-13-45T00:00:00Z'],
    ['nothing in quotes', ''],
  ])('is refused where it is %s', (_what, value) => {
    expect(() => read(value)).toThrow(/unusable expires_at: it must be a time of RFC 3339/);
  });
});
