import { describe, expect, it, vi } from 'vitest';
import { endText, isoOrNull, localTime } from '../../../src/cli/terminal/time.ts';

const noon = Date.UTC(2026, 6, 1, 12, 0, 0);

describe('times for people', () => {
  it('are local and name their zone', () => {
    expect(localTime(noon)).toMatch(/^2026-0[67]-\d\d \d\d:\d\d [A-Z][\w+:-]*$/);
  });

  it.each([
    [0, 'UTC'],
    [-60, 'UTC+01:00'],
    [-345, 'UTC+05:45'],
    [210, 'UTC-03:30'],
  ])('whose zone, %i minutes behind UTC, is %s', (behind, zone) => {
    const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(behind);
    try {
      expect(localTime(0).split(' ').at(-1)).toBe(zone);
    } finally {
      offset.mockRestore();
    }
  });

  it('say how much is left', () => {
    expect(endText(noon, 90_000)).toContain('(in 1 minute 30 seconds)');
  });

  it('say how long it has been over', () => {
    expect(endText(noon, -3_600_000)).toContain('(expired 1 hour ago)');
  });
});

describe('times for programs', () => {
  it('are RFC 3339 in UTC, or null', () => {
    expect(isoOrNull(noon)).toBe('2026-07-01T12:00:00.000Z');
    expect(isoOrNull(undefined)).toBeNull();
  });
});
