import { column, type Database, retryWhileBusy } from '../../mock/index.ts';

/** A value that is made once and shared by every replica and restart, for example a key. */
export async function sharedSetting(db: Database, name: string, fresh: string): Promise<string> {
  return retryWhileBusy(() =>
    db.transaction(async (tx) => {
      await tx.run(
        'INSERT INTO provider_settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING',
        [name, fresh],
      );
      const row = await tx.get('SELECT value FROM provider_settings WHERE name = ?', [name]);
      return column.text(row?.['value']);
    }),
  );
}
