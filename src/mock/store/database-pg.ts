import type { Database, Reader, Row, Transaction, Value } from './database.ts';
import { checkParameters, QUOTED } from './parameters.ts';
import {
  connectPg,
  type PgClient,
  type PgConnections,
  type PgPool,
  type PgResult,
  type PostgresOptions,
} from './pg-connections.ts';
import { isConnectionLost, toStoreError } from './pg-errors.ts';

/** While one of them writes, the others of this process wait for the lock, ready to go on. */
const WRITERS = 4;
/** Beside them, so that a reader never waits for a writer. */
const READERS = 4;
/**
 * Writers of all processes go one after another, as on SQLite, by one lock of the database; each statement sees
 * what was committed before it. A server that has become a standby refuses it, before anything is done.
 */
const BEGIN_WRITE =
  'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(1634170485)';
const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** A PostgreSQL server, for several processes at once. Readers see one state of the data and never wait. */
export class PostgresDatabase implements Database {
  readonly isShared = true;
  readonly #writers: PgPool;
  readonly #readers: PgPool;
  readonly #at: string;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  private constructor({ at, newPool }: PgConnections) {
    this.#writers = newPool(WRITERS);
    this.#readers = newPool(READERS);
    this.#at = at;
  }

  /** @throws StoreOpenError, which shows no password. */
  static async open(options: PostgresOptions): Promise<PostgresDatabase> {
    return new PostgresDatabase(await connectPg(options));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#track(() => this.#transact(this.#writers, BEGIN_WRITE, work));
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#track(() => this.#transact(this.#readers, BEGIN_READ, work));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await Promise.all([this.#writers.end(), this.#readers.end()]);
  }

  async #track<T>(start: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new Error('The database is closed.');
    const running = start();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #transact<T>(
    pool: PgPool,
    begin: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const client = await this.#begin(pool, begin);
    const tx = new PostgresTransaction(client, this.#at);
    try {
      const result = await work(tx);
      await tx.commit();
      client.release();
      return result;
    } catch (error) {
      tx.end();
      // Without a connection the server undoes it by itself.
      client.release(tx.isLost || !(await rollback(client)));
      throw error;
    }
  }

  /** A connection that was lost while it lay idle is replaced once: nothing was done on it. */
  async #begin(pool: PgPool, begin: string, isLastTry = false): Promise<PgClient> {
    let client: PgClient | undefined;
    try {
      client = await pool.connect();
      await client.query(begin);
      return client;
    } catch (error) {
      client?.release(isConnectionLost(error) || !(await rollback(client)));
      if (client === undefined || isLastTry || !isConnectionLost(error)) {
        throw toStoreError(error, this.#at);
      }
      return this.#begin(pool, begin, true);
    }
  }
}

class PostgresTransaction implements Transaction {
  readonly #client: PgClient;
  readonly #at: string;
  #isOpen = true;
  /** What failed first, as the driver said it. PostgreSQL commits nothing after it. */
  #failure: unknown;

  constructor(client: PgClient, at: string) {
    this.#client = client;
    this.#at = at;
  }

  get isLost(): boolean {
    return this.#failure !== undefined && isConnectionLost(this.#failure);
  }

  end(): void {
    this.#isOpen = false;
  }

  /** @throws what failed first. Whether anything was committed is not known when the connection is lost. */
  async commit(): Promise<void> {
    this.end();
    // After what was asked for, whether or not the work has waited for it.
    await this.#send('COMMIT', []);
    if (this.#failure !== undefined) throw toStoreError(this.#failure, this.#at);
  }

  async get(sql: string, params?: readonly Value[]): Promise<Row | undefined> {
    return (await this.#query(sql, params)).rows[0];
  }

  async all(sql: string, params?: readonly Value[]): Promise<readonly Row[]> {
    return (await this.#query(sql, params)).rows;
  }

  async run(sql: string, params?: readonly Value[]): Promise<number> {
    return (await this.#query(sql, params)).rowCount ?? 0;
  }

  #query(sql: string, params: readonly Value[] = []): Promise<PgResult<Row>> {
    if (!this.#isOpen) throw new Error('The transaction has ended.');
    const { parameters, text } = toPgStatement(sql);
    checkParameters(parameters, params);
    return this.#send(text, params);
  }

  async #send(text: string, values: readonly Value[]): Promise<PgResult<Row>> {
    try {
      return await this.#client.query<Row>(text, [...values]);
    } catch (error) {
      this.#failure ??= error;
      throw toStoreError(error, this.#at);
    }
  }
}

/** `false` when the connection cannot be used any more. */
async function rollback(client: PgClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

const TABLE_CHANGE = /^\s*(?:create|alter)\s+table\b/i;

/** A statement as PostgreSQL takes it. */
export interface PgStatement {
  readonly text: string;
  readonly parameters: number;
}

/** A statement of PostgreSQL from the SQL that both stores share: `?` becomes `$1`, `$2`. */
export function toPgStatement(sql: string): PgStatement {
  const isTableChange = TABLE_CHANGE.test(sql);
  let parameters = 0;
  const translate = (plain: string): string => {
    const numbered = plain.replaceAll('?', () => {
      parameters += 1;
      return `$${parameters}`;
    });
    // In the order of its bytes as in SQLite, whatever language the database was made for.
    return isTableChange ? numbered.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"') : numbered;
  };
  let text = '';
  let end = 0;
  for (const { 0: quoted, index } of sql.matchAll(QUOTED)) {
    text += translate(sql.slice(end, index)) + quoted;
    end = index + quoted.length;
  }
  return { text: text + translate(sql.slice(end)), parameters };
}
