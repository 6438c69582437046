import { column } from './column.ts';
import type { Database, Transaction } from './database.ts';

/** Sets a value that may change while mocks run; `mock` owns what both of them share. */
export async function writeSetting(
  tx: Transaction,
  owner: 'service' | 'provider' | 'mock',
  name: string,
  value: string,
): Promise<void> {
  await tx.run(
    `INSERT INTO settings (owner, name, value) VALUES (?, ?, ?)
     ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value`,
    [owner, name, value],
  );
}

/**
 * A value that is made once and shared by every replica and restart, for example a key. `fresh` is used
 * when there is none yet.
 */
export async function sharedSetting(
  db: Database,
  owner: 'service' | 'provider',
  name: string,
  fresh: string,
): Promise<string> {
  return db.transaction(async (tx) => {
    const row = await tx.get('SELECT value FROM settings WHERE owner = ? AND name = ?', [
      owner,
      name,
    ]);
    if (row === undefined) await writeSetting(tx, owner, name, fresh);
    return row === undefined ? fresh : column.text(row['value']);
  });
}
