import type { LockName, Row, Transaction, Value } from './database.ts';
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
  /** Another transaction came first: the same work can succeed in a new one. */
  readonly isConflict: boolean;
}

/** One statement at a time, also when they were asked for at once. */
export class PostgresTransaction implements Transaction {
  readonly skipLocked = 'FOR UPDATE SKIP LOCKED';
  readonly #client: PgClient;
  readonly #at: string;
  readonly #tell: (sql: string) => Promise<unknown>;
  #hasLockedSettings = false;
  #last: Promise<unknown> = Promise.resolve();
  #open = true;
  failure: Failure | undefined;

  /** @param tell sends a statement over another connection. */
  constructor(client: PgClient, at: string, tell: (sql: string) => Promise<unknown>) {
    this.#client = client;
    this.#at = at;
    this.#tell = tell;
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
    await awaitNobodyRelying((name) => this.lock(name), this.#tell);
    this.#hasLockedSettings = true;
  }

  async lockTables(...tables: readonly string[]): Promise<void> {
    await this.run(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
  }

  #query(sql: string, params: readonly Value[]): Promise<PgResult<Row>> {
    if (!this.#open) throw new Error('The transaction has ended.');
    const statement = statementOf(sql);
    checkParameters(statement.parameters, params);
    const result = this.#last.then(() => this.#send(statement, params));
    this.#last = result.catch(() => {});
    return result;
  }

  async #send({ name, text }: Named, params: readonly Value[]): Promise<PgResult<Row>> {
    try {
      return await this.#client.query<Row>({ name, text, values: [...params] });
    } catch (error) {
      if (isStalePlan(error)) statements.clear();
      const thrown = toStoreError(error, this.#at);
      this.failure ??= {
        error: thrown,
        isLost: isConnectionLost(error),
        isConflict: isConflict(error) || isStalePlan(error),
      };
      throw thrown;
    }
  }
}

/** A statement that each connection parses and plans once, under this name. */
interface Named extends PgStatement {
  readonly name: string;
}

const MAX_STATEMENTS = 500;
const SCHEMA_CHANGE = /^\s*(?:create|alter|drop)\b/i;
/** The statements of this program are few and always the same. */
const statements = new Map<string, Named>();
let names = 0;

function statementOf(sql: string): Named {
  const known = statements.get(sql);
  if (known) return known;
  if (SCHEMA_CHANGE.test(sql) || statements.size >= MAX_STATEMENTS) {
    return { ...toPgStatement(sql), name: '' };
  }
  names += 1;
  const statement = { ...toPgStatement(sql), name: `s${names}` };
  statements.set(sql, statement);
  return statement;
}
