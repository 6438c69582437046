import type { TokensOf } from '../../mock/controls/controls.ts';
import { column } from '../../mock/store/column.ts';
import type { Transaction } from '../../mock/store/database.ts';

/**
 * Ends the access and refresh tokens of sign-ins, and the codes that others could be had for.
 * @param agent the client id of the agent, whose sign-ins are by device code.
 * @returns how many tokens there were.
 */
export async function endTokens(
  tx: Transaction,
  { clientId, email }: TokensOf,
  agent: string,
): Promise<number> {
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
  if (clientId === undefined || clientId === agent) await endDeviceCodes(tx, email);
  return access + refresh;
}

async function endDeviceCodes(tx: Transaction, email: string | undefined): Promise<void> {
  for (const row of await tx.all('SELECT device_code_hash, facts FROM device_codes')) {
    const facts = JSON.parse(column.text(row['facts'])) as { readonly email?: string };
    if (email !== undefined && facts.email !== email) continue;
    await tx.run('DELETE FROM device_codes WHERE device_code_hash = ?', [
      column.text(row['device_code_hash']),
    ]);
  }
}
