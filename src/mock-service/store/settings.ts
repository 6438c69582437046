import type { Database } from '../../mock/index.ts';
import { text } from './rows.ts';

/** A value that is made once and shared by every replica and restart, for example a key. */
export async function sharedSetting(db: Database, name: string, fresh: string): Promise<string> {
  return db.transaction(async (tx) => {
    await tx.run(
      'INSERT INTO service_settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING',
      [name, fresh],
    );
    const row = await tx.get('SELECT value FROM service_settings WHERE name = ?', [name]);
    return text(row?.['value']);
  });
}
