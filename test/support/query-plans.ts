import { expect } from 'vitest';
import type { Database, Row, Transaction, Value } from '../../src/mock/index.ts';

/** Watches what a mock asks its database, and has the database explain how it goes about it. */
export class QueryPlans {
  /** What a mock is to be given. */
  readonly watched: Database;
  readonly #db: Database;
  readonly #seen = new Map<string, readonly Value[]>();

  constructor(db: Database) {
    this.#db = db;
    const note = (sql: string, params: readonly Value[]) => {
      this.#seen.set(sql, params);
      return sql;
    };
    const watch = (tx: Transaction): Transaction => ({
      get: (sql, params = []) => tx.get(note(sql, params), params),
      all: (sql, params = []) => tx.all(note(sql, params), params),
      run: (sql, params = []) => tx.run(note(sql, params), params),
      getForUpdate: (sql, params = []) => tx.getForUpdate(note(sql, params), params),
      allForUpdate: (sql, params = []) => tx.allForUpdate(note(sql, params), params),
      skipLocked: tx.skipLocked,
      lock: (...names) => tx.lock(...names),
      lockSettings: () => tx.lockSettings(),
      lockTables: (...tables) => tx.lockTables(...tables),
    });
    this.watched = {
      transaction: (work) => db.transaction((tx) => work(watch(tx))),
      read: (work) =>
        db.read((reader) =>
          work({
            get: (sql, params = []) => reader.get(note(sql, params), params),
            all: (sql, params = []) => reader.all(note(sql, params), params),
          }),
        ),
      settingsVersion: () => db.settingsVersion(),
      close: () => db.close(),
    };
  }

  /** How many different statements there were. */
  get size(): number {
    return this.#seen.size;
  }

  /**
   * The statements that read a table from end to end, but for those of tables that may be.
   * @param inOrder tables that may be read whole in the order of an index, and without sorting.
   */
  async scans(
    allowed: readonly string[],
    inOrder: readonly string[] = [],
  ): Promise<readonly string[]> {
    const scans: string[] = [];
    for (const [sql, params] of this.#seen) {
      if (!/^\s*(SELECT|UPDATE|DELETE)/.test(sql)) continue;
      const steps = (await this.#explain(sql, params)).map(({ detail }) => String(detail));
      const sorts = steps.some((step) => step.startsWith('USE TEMP B-TREE'));
      const isScan = (step: string) => {
        const [, table = ''] = /^SCAN (\S+)/.exec(step) ?? [];
        const ordered = inOrder.includes(table) && step.includes(' USING ') && !sorts;
        return table !== '' && !allowed.includes(table) && !ordered;
      };
      if (steps.some(isScan)) scans.push(sql);
    }
    return scans;
  }

  /** SQLite does not commit while it explains a write: the plan leaves the transaction by a throw. */
  async #explain(sql: string, params: readonly Value[]): Promise<readonly Row[]> {
    let plan: readonly Row[] = [];
    const undone = this.#db.transaction(async (tx) => {
      plan = await tx.all(`EXPLAIN QUERY PLAN ${sql}`, params);
      throw new Error('explained');
    });
    await expect(undone).rejects.toThrow('explained');
    return plan;
  }
}
