import type { Value } from '../../mock/index.ts';

/**
 * Reads the cells of the published tables. They may have been edited by hand, and any value can be
 * null: a cell of another type is shown as null.
 */
export const cell = {
  /** PostgreSQL hands 64-bit integers over as text. */
  integer(value: Value | undefined): number | null {
    const number = toNumber(value);
    return Number.isSafeInteger(number) ? number : null;
  },

  /** A number that is kept as text, because the store takes integers alone. */
  decimal(value: Value | undefined): number | null {
    const number = toNumber(value);
    return Number.isFinite(number) ? number : null;
  },

  text(value: Value | undefined): string | null {
    return value === null || value === undefined ? null : String(value);
  },
} as const;

function toNumber(value: Value | undefined): number {
  if (typeof value === 'string') return value.trim() === '' ? Number.NaN : Number(value);
  return value ?? Number.NaN;
}
