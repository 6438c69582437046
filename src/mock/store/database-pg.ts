import type { Client, ClientConfig, CustomTypesConfig, Pool, PoolClient } from 'pg';
import type { Database, Reader, Row, Transaction, Value } from './database.ts';
import { StoreBusyError, StoreOpenError } from './errors.ts';
import { checkParameters } from './parameters.ts';
import {
  type Handshake,
  isConnectionLost,
  isLockTimeout,
  toOpenError,
  toStoreError,
} from './pg-errors.ts';
import { checkPgServer } from './pg-server.ts';
import { type PgStatement, toPgStatement } from './pg-statement.ts';
import { toDriverUrl } from './pg-url.ts';

/** Each process holds at most so many connections of a kind: readers never wait for writers. */
const CONNECTIONS = 4;
const BEGIN_TRIES = 3;
/** Milliseconds for one statement, and for a process that has stopped in the middle of a transaction. */
const STATEMENT_TIME = 10_000;
const IDLE_TIME = 10_000;
/** What the writers of all processes take in turn: `agentaut` in ASCII. */
const WRITER_LOCK = '7018690069353559412';
const INTEGERS = new Set([21, 23]);
const BOOLEAN = 16;

interface PostgresOptions {
  /** `postgres://…`; what it leaves out comes from PGHOST and its like, as the driver reads them. */
  readonly url: string;
  /** How long a writer waits for the one before it, in milliseconds. */
  readonly busyTimeout: number;
  /** Replaced in tests. */
  readonly loadDriver?: () => Promise<typeof import('pg')>;
}

/**
 * A PostgreSQL server, for several processes at once. A writer takes one lock for all of them, so that
 * they come one after another as with SQLite; readers see one state of the data and never wait.
 */
export class PostgresDatabase implements Database {
  readonly #writers: Pool;
  readonly #readers: Pool;
  readonly #at: string;
  readonly #beginWrite: string;
  readonly #beginRead: string;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  private constructor(newPool: () => Pool, at: string, busyTimeout: number) {
    this.#writers = newPool();
    this.#readers = newPool();
    this.#at = at;
    const limits = (lock: number) =>
      `SET LOCAL lock_timeout = ${lock}; SET LOCAL statement_timeout = ${lock + STATEMENT_TIME}; ` +
      `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIME}`;
    // Each statement sees what was committed before it: the first after the lock, all of it.
    this.#beginWrite =
      `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ${limits(busyTimeout)}; ` +
      `SELECT pg_advisory_xact_lock(${WRITER_LOCK})`;
    this.#beginRead = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${limits(busyTimeout)}`;
  }

  /** @throws StoreOpenError, which shows no password. */
  static async open(options: PostgresOptions): Promise<PostgresDatabase> {
    const { url, busyTimeout, loadDriver = () => import('pg') } = options;
    const pg = await loadDriver().catch((error: unknown) => {
      throw isMissing(error) ? new StoreOpenError('no_driver') : error;
    });
    const connectionString = toDriverUrl(url);
    if (connectionString === undefined) throw new StoreOpenError('bad_address');
    const config = {
      connectionString,
      types: TYPES,
      keepAlive: true,
      connectionTimeoutMillis: Math.max(busyTimeout, 1000),
      // For a server that no longer answers: a live one cancels the statement before.
      query_timeout: busyTimeout + 2 * STATEMENT_TIME,
      fallback_application_name: 'agent-auth',
    };
    const VerifyingClient = verifying(pg.Client);
    let client: Client;
    try {
      client = new VerifyingClient(config);
    } catch (error) {
      // What is thrown may quote the URL.
      throw new StoreOpenError(hasCode(error) ? 'bad_tls_file' : 'bad_address');
    }
    const at = placeOf(client);
    await probe(client, at);
    const newPool = () => new pg.Pool({ ...config, Client: VerifyingClient, max: CONNECTIONS });
    return new PostgresDatabase(() => withoutCrash(newPool()), at, busyTimeout);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#track(() => this.#transact(this.#writers, this.#beginWrite, work));
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#track(() => this.#transact(this.#readers, this.#beginRead, work));
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

  async #transact<T>(pool: Pool, begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#begin(pool, begin);
    const tx = new PostgresTransaction(client, this.#at);
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
  async #begin(pool: Pool, begin: string): Promise<PoolClient> {
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

interface Failure {
  readonly error: unknown;
  readonly isLost: boolean;
}

/** One statement at a time, also when they were asked for at once. */
class PostgresTransaction implements Transaction {
  readonly #client: Client;
  readonly #at: string;
  #last: Promise<unknown> = Promise.resolve();
  #open = true;
  failure: Failure | undefined;

  constructor(client: Client, at: string) {
    this.#client = client;
    this.#at = at;
  }

  async end(): Promise<void> {
    this.#open = false;
    await this.#last;
  }

  async get(sql: string, params: readonly Value[] = []): Promise<Row | undefined> {
    return (await this.#query(sql, params)).rows[0];
  }

  async all(sql: string, params: readonly Value[] = []): Promise<readonly Row[]> {
    return (await this.#query(sql, params)).rows;
  }

  async run(sql: string, params: readonly Value[] = []): Promise<number> {
    return (await this.#query(sql, params)).rowCount ?? 0;
  }

  #query(sql: string, params: readonly Value[]) {
    if (!this.#open) throw new Error('The transaction has ended.');
    const { text, parameters } = statementOf(sql);
    checkParameters(parameters, params);
    const result = this.#last.then(() => this.#send(text, params));
    this.#last = result.catch(() => {});
    return result;
  }

  async #send(text: string, params: readonly Value[]) {
    try {
      return await this.#client.query<Row>(text, [...params]);
    } catch (error) {
      const thrown = toStoreError(error, this.#at);
      this.failure ??= { error: thrown, isLost: isConnectionLost(error) };
      throw thrown;
    }
  }
}

/**
 * The driver's client, which verifies unless the URL turns that off: where it says nothing, as in most
 * modes, NODE_TLS_REJECT_UNAUTHORIZED=0 would decide.
 */
function verifying(Base: typeof Client): typeof Client {
  return class VerifyingClient extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      const connection = this.connection as {
        ssl?: boolean | { rejectUnauthorized?: boolean };
      };
      if (connection.ssl === true) connection.ssl = { rejectUnauthorized: true };
      // In place: it may hold a key that the driver keeps from being copied.
      else if (connection.ssl) connection.ssl.rejectUnauthorized ??= true;
    }
  };
}

/** Connects once, so that a failure shows at once, with its cause. */
async function probe(client: Client, at: string): Promise<void> {
  const { connection } = client;
  let reached = false;
  let isSecure = false;
  let isAsked = false;
  connection.once('connect', () => {
    reached = true;
  });
  connection.once('sslconnect', () => {
    isSecure = true;
  });
  for (const asking of ['SASL', 'MD5Password', 'CleartextPassword']) {
    connection.once(`authentication${asking}`, () => {
      isAsked = true;
    });
  }
  client.on('error', () => {});
  try {
    await client.connect();
    await checkPgServer(async (sql) => (await client.query<Row>(sql)).rows[0], at);
  } catch (error) {
    const handshake: Handshake = {
      reached,
      missesTls: Boolean(client.ssl) && !isSecure,
      missesPassword: isAsked && !client.password,
    };
    throw toOpenError(error, at, handshake);
  } finally {
    await client.end();
  }
}

/** An idle connection that breaks is no error: the pool opens another. */
function withoutCrash(pool: Pool): Pool {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** `false` when the connection cannot be used any more. */
async function rollback(client: Client): Promise<boolean> {
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

const statements = new Map<string, PgStatement>();

/** The statements of this program are few and always the same. */
function statementOf(sql: string): PgStatement {
  const known = statements.get(sql);
  if (known) return known;
  const statement = toPgStatement(sql);
  if (statements.size < 500) statements.set(sql, statement);
  return statement;
}

/** As SQLite hands them over, but for 64-bit integers, which stay text. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (type) => (text: string) => {
    if (INTEGERS.has(type)) return Number(text);
    return type === BOOLEAN ? Number(text === 't') : text;
  },
};

/** Where a client goes, without its password. */
function placeOf({ user, host, port, database }: Client): string {
  const server = host.startsWith('/') ? host : `${host}:${port}`;
  return `postgres://${user ?? ''}@${server}/${database ?? ''}`;
}

function isMissing(error: unknown): boolean {
  return hasCode(error) && error.code === 'ERR_MODULE_NOT_FOUND';
}

function hasCode(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error && error.code !== 'ERR_INVALID_URL';
}
