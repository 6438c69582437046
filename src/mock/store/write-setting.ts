import type { Transaction } from './database.ts';

/** Sets a value that may change while mocks run; `mock` owns what both of them share. */
export async function writeSetting(
  tx: Transaction,
  owner: 'service' | 'provider' | 'mock',
  name: string,
  value: string,
): Promise<void> {
  await tx.lockSettings();
  await tx.run(
    `INSERT INTO settings (owner, name, value) VALUES (?, ?, ?)
     ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value`,
    [owner, name, value],
  );
}
