import Libsql from 'libsql';
import type { Database, Reader, Row, Transaction, Value } from './database.ts';
import { prepareDatabaseFile } from './database-file.ts';
import { StoreBusyError, StoreOpenError } from './errors.ts';
import { sqliteCode, toFileError } from './libsql-errors.ts';
import { checkParameters, countParameters } from './parameters.ts';
import { requireRoomForFiles } from './room-for-files.ts';
import { WatchedFile } from './watched-file.ts';

const OPEN_TRIES = 40;
const MAX_STATEMENTS = 500;
/** A file, its log and its lock; libsql has six more for its threads, and the server needs some after it. */
const ROOM = 16;
const SCHEMA_CHANGE = /^\s*(?:create|alter|drop)\b/i;

interface Prepared {
  readonly statement: Libsql.Statement;
  readonly parameters: number;
  columns: readonly string[];
}

type Begin = 'BEGIN IMMEDIATE' | 'BEGIN DEFERRED';

/**
 * Embedded SQLite: one connection, its transactions one after another. `BEGIN IMMEDIATE` for what may
 * write, because a deferred transaction that starts to write late loses to other processes.
 */
export class LibsqlDatabase implements Database {
  readonly #connection: Libsql.Database;
  readonly #file: string | undefined;
  readonly #watched: WatchedFile | undefined;
  readonly #statements = new Map<string, Prepared>();
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** @throws StoreOpenError */
  constructor(file: string | undefined, busyTimeout: number) {
    requireRoomForFiles(ROOM);
    if (file !== undefined) prepareDatabaseFile(file);
    this.#file = file;
    this.#connection = connect(file, busyTimeout);
    this.#watched = file === undefined ? undefined : new WatchedFile(file);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#enqueue('BEGIN IMMEDIATE', work);
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#enqueue('BEGIN DEFERRED', work);
  }

  settingsVersion(): number | undefined {
    return undefined;
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    this.#connection.close();
  }

  #enqueue<T>(begin: Begin, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#transact(begin, work));
    this.#last = result.catch(() => {});
    return result;
  }

  async #transact<T>(begin: Begin, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('The database is closed.');
    this.#watched?.check();
    this.#rollback();
    guarded(this.#file, () => this.#connection.exec(begin));
    const tx = new LibsqlTransaction(this.#file, (sql) => this.#prepare(sql));
    try {
      const result = await work(tx);
      tx.end();
      guarded(this.#file, () => this.#connection.exec('COMMIT'));
      return result;
    } catch (error) {
      tx.end();
      this.#rollback();
      // Statements prepared before the schema changed may name tables that are gone.
      this.#statements.clear();
      throw error;
    }
  }

  /** Some failures have ended the transaction already; on a bad disk this fails, and is tried again later. */
  #rollback(): void {
    if (!this.#connection.inTransaction) return;
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // The error to report is why the transaction failed.
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(sql);
    const prepared: Prepared = { statement, parameters: countParameters(sql), columns: [] };
    if (statement.reader) {
      statement.raw();
      prepared.columns = statement.columns().map(({ name }) => name);
    }
    if (SCHEMA_CHANGE.test(sql) || this.#statements.size >= MAX_STATEMENTS) {
      this.#statements.clear();
    } else {
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

class LibsqlTransaction implements Transaction {
  readonly #file: string | undefined;
  readonly #prepare: (sql: string) => Prepared;
  #open = true;

  constructor(file: string | undefined, prepare: (sql: string) => Prepared) {
    this.#file = file;
    this.#prepare = prepare;
  }

  end(): void {
    this.#open = false;
  }

  async get(sql: string, params: readonly Value[] = []): Promise<Row | undefined> {
    const prepared = this.#use(sql, params);
    const values = guarded(this.#file, () => prepared.statement.get(params));
    return values === undefined ? undefined : toRow(prepared, values);
  }

  async all(sql: string, params: readonly Value[] = []): Promise<readonly Row[]> {
    const prepared = this.#use(sql, params);
    return guarded(this.#file, () => prepared.statement.all(params)).map((values) =>
      toRow(prepared, values),
    );
  }

  async run(sql: string, params: readonly Value[] = []): Promise<number> {
    const { statement } = this.#use(sql, params);
    return guarded(this.#file, () => statement.run(params)).changes;
  }

  #use(sql: string, params: readonly Value[]): Prepared {
    if (!this.#open) throw new Error('The transaction has ended.');
    const prepared = guarded(this.#file, () => this.#prepare(sql));
    checkParameters(prepared.parameters, params);
    return prepared;
  }
}

function toRow(prepared: Prepared, values: unknown): Row {
  const cells = values as readonly Value[];
  // Another process may have added a column since.
  if (cells.length !== prepared.columns.length) {
    prepared.columns = prepared.statement.columns().map(({ name }) => name);
  }
  return Object.fromEntries(prepared.columns.map((name, index) => [name, cells[index] ?? null]));
}

function connect(file: string | undefined, busyTimeout: number): Libsql.Database {
  let connection: Libsql.Database;
  try {
    connection = new Libsql(file ?? ':memory:', { timeout: busyTimeout });
  } catch (error) {
    // The driver's own error has no code. The file was looked at before, so its folder is what is wrong.
    throw new StoreOpenError('not_writable', file, { cause: error });
  }
  if (file === undefined) return connection;
  try {
    retryInPlace(() => connection.exec('PRAGMA journal_mode = WAL'));
    // A spent `jti` must be spent after a power cut as well.
    connection.exec('PRAGMA synchronous = FULL');
    refuseForeign(connection, file);
    refuseDamaged(connection, file);
    return connection;
  } catch (error) {
    connection.close();
    if (sqliteCode(error) === 'SQLITE_NOTADB') {
      throw new StoreOpenError('not_a_database', file, { cause: error });
    }
    const known = toFileError(error, file);
    if (known instanceof StoreOpenError || known instanceof StoreBusyError) throw known;
    throw new StoreOpenError('not_writable', file, { cause: error });
  }
}

/** Changing the journal does not wait for the busy timeout; each failed attempt waits by itself. */
function retryInPlace(work: () => void): void {
  for (let left = OPEN_TRIES; ; left -= 1) {
    try {
      work();
      return;
    } catch (error) {
      if (!sqliteCode(error).startsWith('SQLITE_BUSY') || left <= 1) throw error;
    }
  }
}

function refuseForeign(connection: Libsql.Database, file: string): void {
  const tables = connection
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .raw()
    .all()
    .map((row) => (row as readonly Value[])[0]);
  if (tables.length > 0 && !tables.includes('migrations')) {
    throw new StoreOpenError('foreign', file);
  }
}

/** Every page, but for the order of indexes: what is damaged shows now, and not to a request. */
function refuseDamaged(connection: Libsql.Database, file: string): void {
  const found = connection.prepare('PRAGMA quick_check(1)').raw().all();
  if ((found[0] as readonly Value[] | undefined)?.[0] !== 'ok') {
    throw new StoreOpenError('damaged', file);
  }
}

function guarded<T>(file: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileError(error, file);
  }
}
