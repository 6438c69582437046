export { StoreBusyError, StoreOpenError } from './errors.ts';

/** What is bound and read: no booleans, no blobs. Numbers are safe integers. */
export type Value = string | number | null;

/** One row by column name. PostgreSQL hands 64-bit integers over as text. */
export type Row = Readonly<Record<string, Value>>;

/** What reads. `?` stands for a parameter. */
export interface Reader {
  /** The first row. */
  get(sql: string, params?: readonly Value[]): Promise<Row | undefined>;
  all(sql: string, params?: readonly Value[]): Promise<readonly Row[]>;
}

/** What a lock is for: its kind, then whose it is. */
export type LockName = readonly [kind: string, ...of: string[]];

/**
 * Statements of one transaction; of no use after it. Each sees what was committed before it. Others may
 * run at the same time: what a change is decided on is read for update, or under a lock where there may
 * be no row yet.
 */
export interface Transaction extends Reader {
  /** How many rows were changed. */
  run(sql: string, params?: readonly Value[]): Promise<number>;
  /** The same for what is of no interest to this work; sent with the commit at the latest, which fails with it. */
  later(sql: string, params?: readonly Value[]): void;
  /** As `get`, of one table: until this transaction ends, another one waits that changes the row or reads it for update. */
  getForUpdate(sql: string, params?: readonly Value[]): Promise<Row | undefined>;
  /** The same with all rows. */
  allForUpdate(sql: string, params?: readonly Value[]): Promise<readonly Row[]>;
  /** Holds these names until this transaction ends; waits while another one holds any of them. */
  lock(...names: readonly LockName[]): Promise<void>;
  /** At the end of a sub-select: takes for update the rows alone that nobody else holds. Empty where nobody can. */
  readonly skipLocked: string;
  /** Before a setting is changed: until this transaction ends, no process relies on those that it has read. */
  lockSettings(): Promise<void>;
  /**
   * Runs `work` as the last thing before the commit: what waits for a lock that others hold while they wait for
   * this transaction's rows. It may have run when this resolves, and may run later.
   */
  atEnd(work: () => Promise<void>): Promise<void>;
  /** Lets nobody else write to these tables until this transaction ends; waits for those who do. */
  lockTables(...tables: readonly string[]): Promise<void>;
}

/** Where a mock keeps its data: one for all replicas, in memory, a file or PostgreSQL. */
export interface Database {
  /**
   * Runs `work` as one atomic change and commits it; a rejection of `work` undoes all of it. `work`
   * awaits nothing but its transaction, and starts no other one. It runs again, in a new transaction,
   * when another one came between, or one failed that shares its commit: it has no effect but through its transaction, and its result.
   * Rejects with StoreBusyError when another process holds the database for too long.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The same while no other transaction runs, of any process: it begins when those under way have ended, and others
   * wait for its end. For what changes many tables, in whatever order.
   */
  alone<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` on a snapshot of the data. It neither waits for a writer nor blocks one. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * The first row of one statement that only reads, of what was committed: at once where nothing has to be waited for,
   * and what fails then is thrown.
   */
  readOne(sql: string, params?: readonly Value[]): Row | undefined | Promise<Row | undefined>;
  /**
   * Changes with each commit that may have changed a setting, of this process or of another one. Sync, and
   * much cheaper than to read the settings. `undefined`: it cannot be told, so they are read each time.
   */
  settingsVersion(): number | undefined;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
