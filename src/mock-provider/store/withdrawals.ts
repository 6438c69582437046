import type { Transaction } from '../../mock/index.ts';

/** Whether the user revoked the consent, and has not agreed again. */
export async function isWithdrawn(
  tx: Transaction,
  email: string,
  audience: string,
): Promise<boolean> {
  const row = await tx.get('SELECT email FROM withdrawals WHERE email = ? AND audience = ?', [
    email,
    audience,
  ]);
  return row !== undefined;
}

/** From now on this consent is given on a page alone, by no option and no control. */
export async function withdraw(tx: Transaction, email: string, audience: string): Promise<void> {
  await tx.run('INSERT INTO withdrawals (email, audience) VALUES (?, ?) ON CONFLICT DO NOTHING', [
    email,
    audience,
  ]);
}

export async function undoWithdrawal(
  tx: Transaction,
  email: string,
  audience: string,
): Promise<void> {
  await tx.run('DELETE FROM withdrawals WHERE email = ? AND audience = ?', [email, audience]);
}
