import { MINUTE } from '../../protocol/durations.ts';
import type { Transaction } from './database.ts';
import type { Table } from './tables.ts';

/** By the mock's clock: what is to be forgotten is looked for with the first change after it. */
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
