import { type Database, retryWhileBusy, type Transaction } from '../../mock/index.ts';
import { readPublished } from './published.ts';
import { DIRECTORY_TABLES } from './schema.ts';

/**
 * Fills the directory of a database once: rows that were changed stay so over a restart, and of two
 * processes that start at the same moment one fills it.
 */
export async function seedDirectory(db: Database): Promise<void> {
  await retryWhileBusy(() =>
    db.transaction(async (tx) => {
      const first = await tx.run(
        `INSERT INTO settings (owner, name, value) VALUES ('service', 'directory_seeded', '1')
         ON CONFLICT DO NOTHING`,
      );
      if (first === 1) await fill(tx);
    }),
  );
}

/** Brings the directory back to how it was published, its request counter to 0. */
export async function resetDirectory(tx: Transaction): Promise<void> {
  for (const table of DIRECTORY_TABLES) await tx.run(`DELETE FROM ${table}`);
  await fill(tx);
}

async function fill(tx: Transaction): Promise<void> {
  const { changelog, codes, services, versions } = readPublished();
  for (const [serviceSeq, { id, methods, name, path }] of services.entries()) {
    await tx.run(
      'INSERT INTO directory_services (seq, service_id, service_name, service_url) VALUES (?, ?, ?, ?)',
      [serviceSeq, id, name, path],
    );
    for (const [position, method] of methods.entries()) {
      await tx.run(
        'INSERT INTO directory_methods (service_seq, position, method_id, method_url) VALUES (?, ?, ?, ?)',
        [serviceSeq, position, method.id, method.template],
      );
      for (const [at, parameter] of method.parameters.entries()) {
        await tx.run(
          `INSERT INTO directory_parameters (service_seq, method_position, position, name)
           VALUES (?, ?, ?, ?)`,
          [serviceSeq, position, at, parameter],
        );
      }
    }
  }
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
