import { MINUTE } from '../../protocol/index.ts';
import type { Transaction } from './database.ts';

/** A table whose rows are of no use from an instant on, and an index by that instant. */
export interface ExpiringTable {
  readonly name: string;
  /** Its primary key, the columns separated by commas. */
  readonly key: string;
  /** The column of the instant, in milliseconds. */
  readonly endsAt: string;
}

/** By the mock's clock: what is to be forgotten is looked for with the first change after it. */
const PAUSE = MINUTE;
/** Rows at once, so that they hold no request for long. When there are more, they go with the next changes. */
const AT_ONCE = 50;

/**
 * Removes what has ended, now and then and a few rows at a time, so that no table grows for ever.
 * Rows stay for a while after their end: whoever takes something because of one compares the instant itself.
 */
export class ExpiredRows {
  readonly #tables: readonly ExpiringTable[];
  #lookedAt = Number.POSITIVE_INFINITY;
  #nextAt = 0;

  constructor(tables: readonly ExpiringTable[]) {
    this.#tables = tables;
  }

  /** The last thing that a transaction does which stores such rows. */
  async remove(tx: Transaction, now: number): Promise<void> {
    // The clock can be set back as well.
    if (now >= this.#lookedAt && now < this.#nextAt) return;
    this.#lookedAt = now;
    this.#nextAt = now + PAUSE;
    let left = AT_ONCE;
    for (const { endsAt, key, name } of this.#tables) {
      // Rows that somebody else is about to change or remove go another time: nobody waits for them.
      const statement = `DELETE FROM ${name} WHERE (${key}) IN
        (SELECT ${key} FROM ${name} WHERE ${endsAt} <= ? ORDER BY ${endsAt} LIMIT ? ${tx.skipLocked})`;
      left -= await tx.run(statement, [now, left]);
      if (left > 0) continue;
      this.#nextAt = now;
      return;
    }
  }
}
