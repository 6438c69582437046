import type { TokensOf } from '../../mock/controls/controls.ts';
import { column, type Transaction } from '../../mock/store/database.ts';
import type { DeviceFacts } from '../device-code/device-facts.ts';

/**
 * Ends the access and refresh tokens of sign-ins, and the codes that others could be had for.
 * @returns how many tokens there were.
 */
export async function endTokens(tx: Transaction, { clientId, email }: TokensOf): Promise<number> {
  const conditions = [
    ...(email === undefined ? [] : ['email = ?']),
    ...(clientId === undefined ? [] : ['client_id = ?']),
  ];
  const where = ['1 = 1', ...conditions].join(' AND ');
  const values = [email, clientId].filter((value) => value !== undefined);
  const end = (table: string) => tx.run(`DELETE FROM ${table} WHERE ${where}`, values);
  const access = await end('sign_in_tokens');
  const refresh = await end('client_refresh_tokens');
  await end('authorization_codes');
  await endDeviceCodes(tx, { clientId, email });
  return access + refresh;
}

async function endDeviceCodes(tx: Transaction, { clientId, email }: TokensOf): Promise<void> {
  for (const row of await tx.all('SELECT device_code_hash, facts FROM device_codes')) {
    const facts = JSON.parse(column.text(row['facts'])) as DeviceFacts;
    const isOther =
      (clientId !== undefined && facts.clientId !== clientId) ||
      (email !== undefined && facts.email !== email);
    if (isOther) continue;
    await tx.run('DELETE FROM device_codes WHERE device_code_hash = ?', [
      column.text(row['device_code_hash']),
    ]);
  }
}
