import type { Database, Reader, Transaction } from './database.ts';
import { StoreBusyError } from './errors.ts';
import {
  connectPg,
  type PgClient,
  type PgConnections,
  type PgPool,
  type PostgresOptions,
} from './pg-connections.ts';
import { isConnectionLost, isLockTimeout, toStoreError } from './pg-errors.ts';
import { PostgresTransaction } from './pg-transaction.ts';

/** Each process holds at most so many connections of a kind: readers never wait for writers. */
const CONNECTIONS = 4;
/** How often a transaction is begun until a connection takes it. */
const BEGIN_TRIES = 3;
/** How often work runs until no other transaction comes between. */
const WORK_TRIES = 5;
/** What the writers of all processes take in turn: `agentaut` in ASCII. */
const WRITER_LOCK = '7018690069353559412';
/** A server that has become a standby refuses it, before anything is done. */
const BEGIN_WRITE = `BEGIN READ WRITE; SELECT pg_advisory_xact_lock(${WRITER_LOCK})`;
const BEGIN_READ = 'BEGIN';

/**
 * A PostgreSQL server, for several processes at once. A writer takes one lock for all of them, so that
 * they come one after another as with SQLite; readers see one state of the data and never wait.
 */
export class PostgresDatabase implements Database {
  readonly #writers: PgPool;
  readonly #readers: PgPool;
  readonly #at: string;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  private constructor({ at, newPool }: PgConnections) {
    this.#writers = newPool({ max: CONNECTIONS, isolation: 'read committed', readOnly: false });
    this.#readers = newPool({ max: CONNECTIONS, isolation: 'repeatable read', readOnly: true });
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

  settingsVersion(): number | undefined {
    return undefined;
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

  /** Runs the work anew when another transaction came between: it has no effect outside of its own. */
  async #transact<T>(
    pool: PgPool,
    begin: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    for (let left = WORK_TRIES; ; left -= 1) {
      const client = await this.#begin(pool, begin);
      const tx = new PostgresTransaction(client, this.#at);
      try {
        return await this.#carryOut(client, tx, work);
      } catch (error) {
        if (tx.failure?.isConflict !== true || left <= 1) throw error;
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
      await tx.end();
      // PostgreSQL answers the commit of a transaction in which something failed with a rollback.
      if (tx.failure !== undefined) throw tx.failure.error;
      isLost = true;
      await guarded(this.#at, () => client.query('COMMIT'));
      isLost = false;
      return result;
    } catch (error) {
      await tx.end();
      isLost ||= tx.failure?.isLost === true || !(await rollback(client));
      throw error;
    } finally {
      client.release(isLost);
    }
  }

  /** Nothing has been done yet, so a connection that was lost while it lay idle is simply replaced. */
  async #begin(pool: PgPool, begin: string): Promise<PgClient> {
    for (let left = BEGIN_TRIES; ; left -= 1) {
      const client = await guarded(this.#at, () => pool.connect());
      try {
        await client.query(begin);
        return client;
      } catch (error) {
        // What cannot begin may have become a standby: another connection may lead elsewhere.
        client.release(!isLockTimeout(error) || !(await rollback(client)));
        if (isConnectionLost(error) && left > 1) continue;
        throw new StoreBusyError({ cause: error });
      }
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
