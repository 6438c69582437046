import type { Database, Transaction } from './database.ts';
import { StoreOpenError } from './errors.ts';
import type { Migration } from './migration.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { SHARED_MIGRATIONS } from './shared-migrations.ts';

/**
 * Brings a database up to date: the tables that both mocks share, then the given ones. Each migration
 * is applied once, also when two processes start at the same moment.
 * @throws StoreOpenError when a newer version has migrated it further.
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<void> {
  const wanted = [...SHARED_MIGRATIONS, ...migrations];
  await retryWhileBusy(() => db.transaction((tx) => applyAll(tx, wanted)));
}

async function applyAll(tx: Transaction, migrations: readonly Migration[]): Promise<void> {
  await tx.lock(['migrations']);
  await tx.run('CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY)');
  const rows = await tx.all('SELECT id FROM migrations');
  const applied = new Set(rows.map(({ id }) => String(id)));
  const known = new Set(migrations.map(({ id }) => id));
  const families = new Set(migrations.map(({ id }) => familyOf(id)));
  for (const id of applied) {
    if (families.has(familyOf(id)) && !known.has(id)) throw new StoreOpenError('newer');
  }
  for (const { id, statements } of migrations) {
    if (applied.has(id)) continue;
    for (const statement of statements) await tx.run(statement);
    await tx.run('INSERT INTO migrations (id) VALUES (?)', [id]);
  }
}

function familyOf(id: string): string {
  return id.slice(0, id.lastIndexOf('-'));
}
