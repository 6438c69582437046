import { sha256 } from '../../runtime/index.ts';
import type { Database, Transaction } from './database.ts';
import { StoreOpenError } from './errors.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { SHARED_TABLES } from './shared-tables.ts';
import type { TableSet } from './table-set.ts';

/**
 * Makes the tables that both mocks share and the given ones, each set once, also when two processes start at the
 * same moment. There is one form of each: nothing is carried over from another one.
 * @throws StoreOpenError when a set was made by another version.
 */
export async function createTables(db: Database, sets: readonly TableSet[]): Promise<void> {
  await retryWhileBusy(() => db.transaction((tx) => createMissing(tx, [SHARED_TABLES, ...sets])));
}

async function createMissing(tx: Transaction, sets: readonly TableSet[]): Promise<void> {
  await tx.lock(['table_sets']);
  await tx.run('CREATE TABLE IF NOT EXISTS table_sets (name TEXT PRIMARY KEY, form TEXT NOT NULL)');
  for (const { name, statements } of sets) {
    const form = sha256(statements.join(';').replace(/\s+/g, ' '));
    const made = await tx.get('SELECT form FROM table_sets WHERE name = ?', [name]);
    if (made !== undefined) {
      if (made['form'] !== form) throw new StoreOpenError('other_version');
      continue;
    }
    for (const statement of statements) await tx.run(statement);
    await tx.run('INSERT INTO table_sets (name, form) VALUES (?, ?)', [name, form]);
  }
}
