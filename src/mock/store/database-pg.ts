import type { Database, LockName, Reader, Row, Transaction, Value } from './database.ts';
import {
  connectPg,
  type PgClient,
  type PgConnections,
  type PgPool,
  type PostgresOptions,
} from './pg-connections.ts';
import { toStoreError } from './pg-errors.ts';
import { advisoryLock } from './pg-locks.ts';
import { SettingsWatch } from './pg-settings.ts';
import { PostgresTransaction } from './pg-transaction.ts';

/**
 * So many of each process work at once. A connection is a process of the server: more than these keep no more
 * cores busy, and five replicas still fit into the 100 of a server that nobody configured.
 */
const WRITERS = 12;
/** Beside them, so that a reader never waits for a writer. */
const READERS = 4;
/** How often work runs until no other transaction comes between. */
const WORK_TRIES = 5;
/** Shared by all that write. Whoever has to be alone takes it before anything else, so it waits in no circle. */
const WRITING: LockName = ['writing'];
/** A server that has become a standby refuses it, before anything is done. */
const BEGIN_WRITE = `BEGIN READ WRITE; ${advisoryLock('xact_lock_shared', WRITING)}`;
const BEGIN_ALONE = `BEGIN READ WRITE; ${advisoryLock('xact_lock', WRITING)}`;
const BEGIN_READ = 'BEGIN';

/**
 * A PostgreSQL server, for several processes at once. Writers work side by side: one waits for another where
 * both decide on the same row or name. Each statement sees what was committed before it, so the first one after a
 * wait sees what was waited for. Readers see one state of the data and never wait.
 */
export class PostgresDatabase implements Database {
  readonly #writers: PgPool;
  readonly #readers: PgPool;
  readonly #settings: SettingsWatch;
  readonly #at: string;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  private constructor({ at, newListener, newPool }: PgConnections) {
    this.#settings = new SettingsWatch(newListener);
    this.#writers = newPool({ max: WRITERS, isolation: 'read committed', readOnly: false });
    this.#readers = newPool({ max: READERS, isolation: 'repeatable read', readOnly: true });
    this.#at = at;
  }

  /** @throws StoreOpenError, which shows no password. */
  static async open(options: PostgresOptions): Promise<PostgresDatabase> {
    return new PostgresDatabase(await connectPg(options));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#track(() => this.#transact(this.#writers, BEGIN_WRITE, work));
  }

  alone<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#track(() => this.#transact(this.#writers, BEGIN_ALONE, work));
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#track(() => this.#transact(this.#readers, BEGIN_READ, work));
  }

  readOne(sql: string, params?: readonly Value[]): Promise<Row | undefined> {
    return this.read((reader) => reader.get(sql, params));
  }

  settingsVersion(): number | undefined {
    return this.#settings.version();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await Promise.all([this.#settings.close(), this.#writers.end(), this.#readers.end()]);
  }

  /** By a reader's connection: those of writers may all wait for what this leads to. */
  readonly #tell = (sql: string) => guarded(this.#at, () => this.#readers.query(sql));

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

  /** Runs the work anew when another transaction came between: it has no effect outside of its own. */
  async #transact<T>(
    pool: PgPool,
    begin: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    for (let left = WORK_TRIES; ; left -= 1) {
      const client = await guarded(this.#at, () => pool.connect());
      const tx = new PostgresTransaction({ client, at: this.#at, begin, tell: this.#tell });
      try {
        return await this.#carryOut(client, tx, work);
      } catch (error) {
        if (tx.failure?.canRunAnew !== true || left <= 1) throw error;
      }
    }
  }

  async #carryOut<T>(
    client: PgClient,
    tx: PostgresTransaction,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    let isLost = false;
    try {
      const result = await work(tx);
      await tx.commit();
      return result;
    } catch (error) {
      await tx.end();
      isLost = tx.failure?.isLost === true || !(tx.isUntouched || (await rollback(client)));
      throw error;
    } finally {
      client.release(isLost);
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

async function guarded<T>(at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, at);
  }
}
