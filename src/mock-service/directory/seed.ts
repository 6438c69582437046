import { type Database, retryWhileBusy, type Transaction } from '../../mock/index.ts';
import { sha256 } from '../../runtime/index.ts';
import type { DirectoryService } from '../config/directory.ts';
import { insertService, toCatalogService } from './catalog-rows.ts';
import { readPublished } from './published.ts';
import { CATALOG_TABLES, DIRECTORY_TABLES } from './schema.ts';

/** The services that are configured; without them the published ones. */
type Configured = readonly DirectoryService[] | undefined;

/**
 * Fills the directory of a database: rows that were changed stay so over a restart, until the
 * configuration is another one. Of two processes that start at the same moment one fills it.
 */
export async function seedDirectory(db: Database, configured: Configured): Promise<void> {
  // What is kept for the published catalog has no name: it is the first there was.
  const wanted = configured === undefined ? '1' : sha256(JSON.stringify(configured));
  await retryWhileBusy(() =>
    db.transaction(async (tx) => {
      const before = await tx.get(
        "SELECT value FROM settings WHERE owner = 'service' AND name = 'directory_seeded'",
      );
      const changed = await tx.run(
        `INSERT INTO settings (owner, name, value) VALUES ('service', 'directory_seeded', ?)
         ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value
         WHERE settings.value <> excluded.value`,
        [wanted],
      );
      if (changed !== 1) return;
      if (before === undefined) await resetDirectory(tx, configured);
      else await refillCatalog(tx, configured);
    }),
  );
}

/** Brings the directory back to how it was configured or published, its request counter to 0. */
export async function resetDirectory(tx: Transaction, configured: Configured): Promise<void> {
  await tx.lockTables(...DIRECTORY_TABLES);
  for (const table of DIRECTORY_TABLES) await tx.run(`DELETE FROM ${table}`);
  await fillCatalog(tx, configured);
  await fillRecords(tx);
}

async function refillCatalog(tx: Transaction, configured: Configured): Promise<void> {
  for (const table of CATALOG_TABLES) await tx.run(`DELETE FROM ${table}`);
  await fillCatalog(tx, configured);
}

async function fillCatalog(tx: Transaction, configured: Configured): Promise<void> {
  const services = configured?.map(toCatalogService) ?? readPublished().services;
  for (const [seq, service] of services.entries()) await insertService(tx, seq, service);
}

/** Versions, changelog and codes, and a counter that begins. */
async function fillRecords(tx: Transaction): Promise<void> {
  const { changelog, codes, versions } = readPublished();
  for (const [seq, { releaseDate, version }] of versions.entries()) {
    await tx.run('INSERT INTO directory_versions (seq, version, release_date) VALUES (?, ?, ?)', [
      seq,
      version,
      releaseDate,
    ]);
  }
  for (const [seq, { changes, date }] of changelog.entries()) {
    await tx.run('INSERT INTO directory_changelog (seq, changed_on) VALUES (?, ?)', [seq, date]);
    for (const [position, change] of changes.entries()) {
      await tx.run(
        'INSERT INTO directory_changes (entry_seq, position, change_text) VALUES (?, ?, ?)',
        [seq, position, change],
      );
    }
  }
  for (const [seq, { code, message }] of codes.entries()) {
    await tx.run('INSERT INTO directory_codes (seq, code, message) VALUES (?, ?, ?)', [
      seq,
      code,
      message,
    ]);
  }
  await tx.run('INSERT INTO directory_requests (id, served) VALUES (1, 0)');
}
