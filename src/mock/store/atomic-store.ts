import { MINUTE } from '../../protocol/durations.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { Database, Reader, Transaction } from './database.ts';
import type { Table } from './tables.ts';

/** A store of a mock: each of its methods is one atomic change, or one reading. */
export class AtomicStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #expired: ExpiredRows;

  constructor(db: Database, clock: Clock, expired: ExpiredRows) {
    this.#db = db;
    this.#clock = clock;
    this.#expired = expired;
  }

  /** Changes something now. What has expired meanwhile goes with it. */
  protected change<T>(work: (tx: Transaction, now: number) => Promise<T>): Promise<T> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const result = await work(tx, now);
      await this.#expired.remove(tx, now);
      return result;
    });
  }

  protected read<T>(work: (reader: Reader, now: number) => Promise<T>): Promise<T> {
    return this.#db.read((reader) => work(reader, this.#clock.now()));
  }
}

/** The pause by the mock's clock: what is to be forgotten is looked for with the first change after it. */
const PAUSE = MINUTE;
/** Rows of a table with each change, so that they hold no request for long: more than a change stores of them. */
const AT_ONCE = 8;

/**
 * Removes what has ended, now and then and a few rows at a time, so that no table grows for ever.
 * Rows stay for a while after their end: whoever takes something because of one compares the instant itself.
 */
export class ExpiredRows {
  readonly #statements: readonly string[];
  #lookedAt = Number.POSITIVE_INFINITY;
  #nextAt = 0;

  constructor(tables: readonly Table[]) {
    this.#statements = tables.flatMap(({ endsAt, key, name }) =>
      endsAt === undefined
        ? []
        : `DELETE FROM ${name} WHERE (${key}) IN
             (SELECT ${key} FROM ${name} WHERE ${endsAt} <= ? ORDER BY ${endsAt} LIMIT ?)`,
    );
  }

  /** The last thing that each change does. */
  async remove(tx: Transaction, now: number): Promise<void> {
    // The clock can be set back as well.
    if (now >= this.#lookedAt && now < this.#nextAt) return;
    let isDone = true;
    for (const statement of this.#statements) {
      if ((await tx.run(statement, [now, AT_ONCE])) === AT_ONCE) isDone = false;
    }
    this.#lookedAt = now;
    this.#nextAt = isDone ? now + PAUSE : now;
  }
}
