import type { Value } from './database.ts';

/** Reads the cells of a row. A cell of another type is a mistake in the schema, and thrown. */
export const column = {
  text(value: Value | undefined): string {
    if (typeof value !== 'string')
      throw new TypeError('The database holds no text in a text column.');
    return value;
  },

  /** PostgreSQL hands 64-bit integers over as text. */
  number(value: Value | undefined): number {
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
      throw new TypeError('The database holds no number in a number column.');
    }
    return number;
  },

  optionalText(value: Value | undefined): string | undefined {
    return value === null || value === undefined ? undefined : column.text(value);
  },

  optionalNumber(value: Value | undefined): number | undefined {
    return value === null || value === undefined ? undefined : column.number(value);
  },

  /** Words separated by spaces. */
  list(value: Value | undefined): readonly string[] {
    return column.text(value).split(' ').filter(Boolean);
  },

  optionalList(value: Value | undefined): readonly string[] | undefined {
    return value === null || value === undefined ? undefined : column.list(value);
  },
} as const;
