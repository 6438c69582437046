import { column, type Transaction } from '../../mock/store/database.ts';
import type { IdentityType } from '../../protocol/constants.ts';
import { HOUR } from '../../protocol/durations.ts';
import { EXPIRED_RETENTION } from './retention.ts';

/** Registrations per IP address and hour, and in all per hour (wire contract §3). */
const PER_HOUR = {
  anonymous: { ip: 5, total: 100 },
  other: { ip: 60, total: 1000 },
} as const;
const MAX_UNCLAIMED = 10_000;

/** Admits one more registration within the transaction that makes it, or throws. */
export type Gate = (tx: Transaction, now: number) => Promise<void>;

/**
 * Counts one registration. Returns the seconds to wait when it is one too many; then the caller undoes
 * the transaction, so that a refusal is not counted. Callers without a known IP address share one
 * counter.
 */
export async function countRegistration(
  tx: Transaction,
  now: number,
  type: IdentityType,
  ip: string | undefined,
): Promise<number | undefined> {
  const hour = Math.floor(now / HOUR);
  const endsAt = (hour + 1) * HOUR;
  const kind = type === 'anonymous' ? 'anonymous' : 'other';
  const { ip: perIp, total } = PER_HOUR[kind];
  const tooMany =
    (await count(tx, `${kind} ${hour} ${ip ?? 'unknown'}`, endsAt)) > perIp ||
    (await count(tx, `${kind} ${hour}`, endsAt)) > total ||
    (await areUnclaimed(tx, now, MAX_UNCLAIMED));
  return tooMany ? Math.ceil((endsAt - now) / 1000) : undefined;
}

async function count(tx: Transaction, bucket: string, expiresAt: number): Promise<number> {
  await tx.run(
    `INSERT INTO rate_counters (bucket, count, expires_at) VALUES (?, 1, ?)
     ON CONFLICT (bucket) DO UPDATE SET count = rate_counters.count + 1`,
    [bucket, expiresAt],
  );
  const row = await tx.get('SELECT count FROM rate_counters WHERE bucket = ?', [bucket]);
  return column.number(row?.['count']);
}

/** Whether there are so many unclaimed registrations, or more. */
async function areUnclaimed(tx: Transaction, now: number, count: number): Promise<boolean> {
  const last = await tx.get(
    `SELECT id FROM registrations WHERE purge_at > ? AND revoked_at IS NULL
     ORDER BY purge_at LIMIT 1 OFFSET ?`,
    [now + EXPIRED_RETENTION, count - 1],
  );
  return last !== undefined;
}
