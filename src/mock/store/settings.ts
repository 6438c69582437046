import { column, type Database, type Reader, type Transaction } from './database.ts';

/** `mock` owns what both mocks of a store share. */
type SettingOwner = 'service' | 'provider' | 'mock';

export async function readSetting(
  reader: Reader,
  owner: SettingOwner,
  name: string,
): Promise<string | undefined> {
  const sql = 'SELECT value FROM settings WHERE owner = ? AND name = ?';
  return column.optionalText((await reader.get(sql, [owner, name]))?.['value']);
}

/** Sets a value that may change while mocks run. */
export async function writeSetting(
  tx: Transaction,
  owner: SettingOwner,
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
  owner: SettingOwner,
  name: string,
  fresh: string,
): Promise<string> {
  return db.transaction(async (tx) => {
    const present = await readSetting(tx, owner, name);
    if (present === undefined) await writeSetting(tx, owner, name, fresh);
    return present ?? fresh;
  });
}
