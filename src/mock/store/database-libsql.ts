// Not the global one: a test that replaces timers would hold up the store.
import { setImmediate } from 'node:timers';
import type { Database, Reader, Row, Transaction, Value } from './database.ts';
import {
  type Connection,
  type ConnectOptions,
  connect,
  letGo,
  type Statement,
  toFileError,
} from './libsql-connection.ts';
import { checkParameters, countParameters } from './parameters.ts';

const MAX_STATEMENTS = 500;
const SCHEMA_CHANGE = /^\s*(?:create|alter|drop)\b/i;
const NONE: readonly Value[] = [];

interface Prepared {
  readonly statement: Statement;
  readonly parameters: number;
  readonly columns: readonly string[];
}

/** Embedded SQLite: one connection of one process, and what is asked of it one after another. */
export class LibsqlDatabase implements Database {
  readonly isShared = false;
  readonly #connection: Connection;
  readonly #file: string | undefined;
  /** The statements, each prepared once. */
  readonly #prepared = new Map<string, Prepared>();
  /** The work that waits for its turn. Each resolves, once it is done, to the function that hands its result to the caller. */
  readonly #waiting: (() => Promise<() => void>)[] = [];
  #working: Promise<void> | undefined;
  #isClosing = false;

  private constructor(connection: Connection, file: string | undefined) {
    this.#connection = connection;
    this.#file = file;
  }

  /** @throws StoreOpenError */
  static async open(options: ConnectOptions): Promise<LibsqlDatabase> {
    return new LibsqlDatabase(await connect(options), options.file);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#exec('BEGIN IMMEDIATE');
      try {
        const result = await this.#run(work);
        this.#exec('COMMIT');
        return result;
      } catch (error) {
        this.#rollback();
        throw error;
      }
    });
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#run(work));
  }

  async close(): Promise<void> {
    const isFirst = !this.#isClosing;
    this.#isClosing = true;
    await this.#working;
    if (!isFirst) return;
    this.#prepared.clear();
    if (this.#file !== undefined) letGo(this.#connection);
    this.#connection.close();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new Error('The database is closed.');
    const inOrder = async () => {
      // What could not be undone on a bad disk is undone first: nobody may read it, or add to it.
      if (this.#connection.inTransaction) this.#exec('ROLLBACK');
      return work();
    };
    return new Promise((resolve, reject) => {
      this.#waiting.push(() =>
        inOrder().then(
          (result) => () => resolve(result),
          (error: unknown) => () => reject(error),
        ),
      );
      this.#working ??= this.#workOff();
    });
  }

  /**
   * Works off what waits, one after another. What has arrived in one turn of the event loop is worked off, and then
   * answered, at once: a processor that does one thing many times does it twice as fast.
   */
  async #workOff(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const answers: (() => void)[] = [];
      for (const work of this.#waiting.splice(0)) answers.push(await work());
      for (const answer of answers) answer();
    }
    this.#working = undefined;
  }

  async #run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let isOpen = true;
    // What failed first. As on PostgreSQL nothing is committed after it, whether or not the work caught it.
    let failure: { readonly error: unknown } | undefined;
    const failing = <R>(step: () => R): R => {
      try {
        return this.#explained(step);
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    };
    const prepare = (sql: string, params: readonly Value[]): Prepared => {
      if (!isOpen) throw new Error('The transaction has ended.');
      const prepared = failing(() => this.#prepare(sql));
      checkParameters(prepared.parameters, params);
      return prepared;
    };
    try {
      const result = await work({
        get: async (sql, params = NONE) => {
          const { columns, statement } = prepare(sql, params);
          const cells = failing(() => statement.get(params));
          return cells === undefined ? undefined : toRow(columns, cells as readonly Value[]);
        },
        all: async (sql, params = NONE) => {
          const { columns, statement } = prepare(sql, params);
          const rows = failing(() => statement.all(params));
          return (rows as readonly (readonly Value[])[]).map((cells) => toRow(columns, cells));
        },
        run: async (sql, params = NONE) => {
          if (isOpen && SCHEMA_CHANGE.test(sql)) {
            checkParameters(countParameters(sql), params);
            return failing(() => this.#changeSchema(sql));
          }
          const { statement } = prepare(sql, params);
          return failing(() => statement.run(params)).changes;
        },
      });
      if (failure !== undefined) throw failure.error;
      return result;
    } finally {
      isOpen = false;
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    const columns = statement.reader ? statement.raw().columns() : [];
    const prepared = {
      statement,
      parameters: countParameters(sql),
      columns: columns.map(({ name }) => name),
    };
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    else this.#prepared.set(sql, prepared);
    return prepared;
  }

  /** Prepared before it, statements may miss columns, or name tables that are gone. */
  #changeSchema(sql: string): number {
    this.#prepared.clear();
    this.#connection.exec(sql);
    return 0;
  }

  /**
   * Rolls back. Some failures have ended the transaction already; on a bad disk this fails, and is tried again later.
   */
  #rollback(): void {
    if (!this.#connection.inTransaction) return;
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // The error to report is why the transaction failed.
    }
  }

  #exec(sql: string): void {
    this.#explained(() => this.#connection.exec(sql));
  }

  #explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw toFileError(error, this.#file);
    }
  }
}

function toRow(columns: readonly string[], cells: readonly Value[]): Row {
  const row: Record<string, Value> = {};
  for (let at = 0; at < columns.length; at += 1) row[columns[at] as string] = cells[at] ?? null;
  return row;
}
