import { column } from '../../mock/store/column.ts';
import type { Transaction } from '../../mock/store/database.ts';

/** A refresh token that was issued and has not expired. */
interface KnownRefreshToken {
  readonly isSpent: boolean;
}

/** `undefined` for an unknown or expired one. */
export async function findRefreshToken(
  tx: Transaction,
  hash: string,
  now: number,
): Promise<KnownRefreshToken | undefined> {
  const row = await tx.get('SELECT spent_at, expires_at FROM refresh_tokens WHERE hash = ?', [
    hash,
  ]);
  if (row === undefined || now >= column.number(row['expires_at'])) return undefined;
  return { isSpent: column.optionalNumber(row['spent_at']) !== undefined };
}

/** Whether the agent has used none of a registration's refresh tokens: it may not have got the first. */
export async function isUnused(tx: Transaction, registrationId: string): Promise<boolean> {
  const rows = await tx.all('SELECT spent_at FROM refresh_tokens WHERE registration_id = ?', [
    registrationId,
  ]);
  return rows.length > 0 && rows.every((row) => row['spent_at'] === null);
}
