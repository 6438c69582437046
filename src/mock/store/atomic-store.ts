import type { Clock } from '../../runtime/ports.ts';
import type { Database, Reader, Transaction } from './database.ts';
import type { ExpiredRows } from './expired-rows.ts';

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
