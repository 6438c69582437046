export { StoreBusyError, StoreOpenError } from './errors.ts';

/** What is bound and read: no booleans, no blobs. Numbers are safe integers. */
export type Value = string | number | null;

/** A row by column name. PostgreSQL hands 64-bit integers over as text. */
export type Row = Readonly<Record<string, Value>>;

/** What reads. `?` stands for a parameter. */
export interface Reader {
  /** The first row. */
  get(sql: string, params?: readonly Value[]): Promise<Row | undefined>;
  all(sql: string, params?: readonly Value[]): Promise<readonly Row[]>;
}

/** Statements of one transaction; of no use after it. */
export interface Transaction extends Reader {
  /** How many rows were changed. Statements that change tables may be several, with `;` between them. */
  run(sql: string, params?: readonly Value[]): Promise<number>;
}

/** Where a mock keeps its data: in memory, in a file of this process, or in PostgreSQL for several processes. */
export interface Database {
  /** Whether other processes write to it too: then what was read of it is not kept for the next request. */
  readonly isShared: boolean;
  /**
   * Runs `work` once, as one atomic change, and commits it; a rejection of `work` undoes all of it. No other
   * transaction runs meanwhile, of any process, and none waits for ever: `work` awaits nothing but its own
   * transaction, and starts no other one.
   * Rejects with StoreBusyError when the database cannot be had; the same call can succeed later.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` on one state of what was committed. It awaits nothing but its reader. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

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
