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
/**
 * Rows with each change, so that they hold no request for long: more than a change stores of them, so that they
 * become fewer while there are many. On a file each is about two pages more to write, to the log and again to the
 * file; a hundred pages take it about 2 ms.
 */
const AT_ONCE = 8;

/**
 * Removes what has ended, now and then and a few rows at a time, so that no table grows for ever.
 * Rows stay for a while after their end: whoever takes something because of one compares the instant itself.
 */
export class ExpiredRows {
  readonly #tables: readonly ExpiringTable[];
  #lookedAt = Number.POSITIVE_INFINITY;
  #nextAt = 0;
  /** The table that had more rows than went: it comes first the next time. */
  #at = 0;

  constructor(tables: readonly ExpiringTable[]) {
    this.#tables = tables;
  }

  /** The last thing that a transaction does which stores such rows. */
  async remove(tx: Transaction, now: number): Promise<void> {
    // The clock can be set back as well.
    if (now >= this.#lookedAt && now < this.#nextAt) return;
    this.#lookedAt = now;
    this.#nextAt = now + PAUSE;
    const first = this.#at;
    const inTurn = [...this.#tables.slice(first), ...this.#tables.slice(0, first)];
    let left = AT_ONCE;
    for (const table of inTurn) {
      left -= await removeSome(tx, table, now, left);
      if (left > 0) continue;
      this.#nextAt = now;
      this.#at = this.#tables.indexOf(table);
      return;
    }
  }
}

/** Returns how many rows went. */
function removeSome(
  tx: Transaction,
  { endsAt, key, name }: ExpiringTable,
  now: number,
  most: number,
): Promise<number> {
  const statement = `DELETE FROM ${name} WHERE (${key}) IN
    (SELECT ${key} FROM ${name} WHERE ${endsAt} <= ? ORDER BY ${endsAt} LIMIT ?)`;
  return tx.run(statement, [now, most]);
}
