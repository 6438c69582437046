import type { LockName, Row, Transaction, Value } from './database.ts';
import { StoreBusyError } from './errors.ts';
import { checkParameters } from './parameters.ts';
import type { PgClient, PgResult } from './pg-connections.ts';
import { isConflict, isConnectionLost, isStalePlan, toStoreError } from './pg-errors.ts';
import { lockKey } from './pg-locks.ts';
import { awaitNobodyRelying } from './pg-settings.ts';
import { type PgStatement, toPgStatement } from './pg-statement.ts';

/** Why a transaction cannot be committed: the first of its statements that failed. */
interface Failure {
  readonly error: unknown;
  /** The connection cannot be used any more. */
  readonly isLost: boolean;
  /** The same work can succeed in a new transaction: another one came first, or this one never began. */
  readonly canRunAnew: boolean;
}

interface PgTransactionOptions {
  /** Sends its statements in order, without waiting for the one before. */
  readonly client: PgClient;
  /** For messages. */
  readonly at: string;
  readonly begin: string;
  /** Sends a statement over another connection. */
  readonly tell: (sql: string) => Promise<unknown>;
}

/**
 * Statements are answered in the order in which they were asked for. Few round trips: what begins a transaction
 * goes with its first statement where that only reads, and what is left for later with the commit.
 */
export class PostgresTransaction implements Transaction {
  readonly skipLocked = 'FOR UPDATE SKIP LOCKED';
  readonly #options: PgTransactionOptions;
  /** To be sent with the next statement, or the commit. */
  #left: Bound[] = [];
  #hasLockedSettings = false;
  #begun: Promise<unknown> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isOpen = true;
  readonly #atEnd: (() => Promise<void>)[] = [];
  failure: Failure | undefined;

  constructor(options: PgTransactionOptions) {
    this.#options = options;
  }

  /** Nothing was sent yet. */
  get isUntouched(): boolean {
    return this.#begun === undefined;
  }

  /** Waits for what was asked for, and takes nothing more. */
  async end(): Promise<void> {
    this.#isOpen = false;
    await this.#last;
  }

  /** @throws what failed first. Whether anything was committed is not known when the connection `isLost`. */
  async commit(): Promise<void> {
    for (const work of this.#atEnd.splice(0)) await work();
    if (this.#begun === undefined) await this.#begin();
    await this.end();
    this.#throwFailure();
    const committed = this.#atOnce(() => {
      this.#sendAll(this.#left.splice(0));
      return this.#options.client.query('COMMIT');
    });
    try {
      await committed;
      await this.#last;
    } catch (error) {
      this.#fail(error, { isLost: true });
    }
    // PostgreSQL answers the commit of a transaction in which something failed with a rollback.
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.failure !== undefined) throw this.failure.error;
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

  async getForUpdate(sql: string, params: readonly Value[] = []): Promise<Row | undefined> {
    return this.get(`${sql} FOR UPDATE`, params);
  }

  async allForUpdate(sql: string, params: readonly Value[] = []): Promise<readonly Row[]> {
    return this.all(`${sql} FOR UPDATE`, params);
  }

  async lock(...names: readonly LockName[]): Promise<void> {
    const each = names.map(() => 'pg_advisory_xact_lock(hashtextextended(?, 0))');
    await this.get(`SELECT ${each.join(', ')}`, names.map(lockKey));
  }

  async lockSettings(): Promise<void> {
    if (this.#hasLockedSettings) return;
    await awaitNobodyRelying((name) => this.lock(name), this.#options.tell);
    this.#hasLockedSettings = true;
  }

  async lockTables(...tables: readonly string[]): Promise<void> {
    await this.run(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
  }

  async atEnd(work: () => Promise<void>): Promise<void> {
    this.#atEnd.push(work);
  }

  later(sql: string, params: readonly Value[] = []): void {
    this.#left.push(this.#bind(sql, params));
  }

  #query(sql: string, params: readonly Value[]): Promise<PgResult<Row>> {
    const bound = this.#bind(sql, params);
    const before = this.#left.splice(0);
    const send = () => {
      this.#sendAll(before);
      return this.#send(bound);
    };
    const isFirst = this.#begun === undefined;
    // A change that is sent with a beginning that fails would be committed by itself.
    const result =
      isFirst && bound.statement.isReading && before.length === 0
        ? this.#atOnce(() => Promise.all([this.#begin(), send()])).then(([, answer]) => answer)
        : this.#begin().then(() => this.#atOnce(send));
    this.#last = result.catch(() => {});
    return result;
  }

  #bind(sql: string, params: readonly Value[]): Bound {
    if (!this.#isOpen) throw new Error('The transaction has ended.');
    const statement = statementOf(sql);
    checkParameters(statement.parameters, params);
    return { statement, values: [...params] };
  }

  #begin(): Promise<unknown> {
    const { begin, client } = this.#options;
    this.#begun ??= client.query(begin).catch((error: unknown) => {
      // A connection that was lost while it lay idle is simply replaced; one to a standby may lead elsewhere.
      const canRunAnew = isConnectionLost(error);
      throw this.#fail(new StoreBusyError({ cause: error }), { isLost: true, canRunAnew });
    });
    return this.#begun;
  }

  #sendAll(left: readonly Bound[]): void {
    for (const each of left) this.#last = this.#send(each).catch(() => {});
  }

  async #send({ statement: { name, text }, values }: Bound): Promise<PgResult<Row>> {
    try {
      return await this.#options.client.query<Row>({ name, text, values });
    } catch (error) {
      if (isStalePlan(error)) statements.clear();
      throw this.#fail(error, {});
    }
  }

  #fail(error: unknown, known: Partial<Failure>): unknown {
    const thrown = toStoreError(error, this.#options.at);
    const isLost = isConnectionLost(error);
    const canRunAnew = isConflict(error) || isStalePlan(error);
    this.failure ??= { error: thrown, isLost, canRunAnew, ...known };
    return thrown;
  }

  /** Everything that is sent meanwhile goes in one packet. */
  #atOnce<T>(send: () => T): T {
    const { stream } = this.#options.client.connection;
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }
}

interface Bound {
  readonly statement: Named;
  readonly values: Value[];
}

/** A statement that each connection parses and plans once, under this name. */
interface Named extends PgStatement {
  readonly name: string;
  /** Of no effect where no transaction has begun. */
  readonly isReading: boolean;
}

const MAX_STATEMENTS = 500;
const READING = /^\s*select\b/i;
const SCHEMA_CHANGE = /^\s*(?:create|alter|drop)\b/i;
/** The statements of this program are few and always the same. */
const statements = new Map<string, Named>();
let names = 0;

function statementOf(sql: string): Named {
  const known = statements.get(sql);
  if (known) return known;
  if (SCHEMA_CHANGE.test(sql) || statements.size >= MAX_STATEMENTS) {
    return { ...toPgStatement(sql), name: '', isReading: false };
  }
  names += 1;
  const isReading = READING.test(sql);
  const statement = { ...toPgStatement(sql), name: `s${names}`, isReading };
  statements.set(sql, statement);
  return statement;
}
