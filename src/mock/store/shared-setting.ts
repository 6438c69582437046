import { column } from './column.ts';
import type { Database } from './database.ts';
import { retryWhileBusy } from './retry-while-busy.ts';

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
  return retryWhileBusy(() =>
    db.transaction(async (tx) => {
      await tx.run(
        'INSERT INTO settings (owner, name, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        [owner, name, fresh],
      );
      const row = await tx.get('SELECT value FROM settings WHERE owner = ? AND name = ?', [
        owner,
        name,
      ]);
      return column.text(row?.['value']);
    }),
  );
}
