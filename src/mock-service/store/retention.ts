import type { Transaction } from '../../mock/index.ts';
import { DAY } from '../../protocol/index.ts';

/** How long an unclaimed registration is kept after its end, so that late requests get the right answer. */
export const EXPIRED_RETENTION = 7 * DAY;

/** How long a revoked registration is kept. */
export const REVOKED_RETENTION = 30 * DAY;

/** How long the `jti` of an event is remembered; an event carries no `exp` (wire contract §7). */
export const EVENT_JTI_RETENTION = 30 * DAY;

/** How long a mail can be read. */
export const MAIL_RETENTION = 7 * DAY;

const EXPIRING = [
  'access_tokens',
  'assertions',
  'refresh_tokens',
  'used_jtis',
  'subject_revocations',
  'rate_counters',
  'mails',
] as const;

/** Removes what has expired, by index. Runs with each insert, so that no table grows for ever. */
export async function purge(tx: Transaction, now: number): Promise<void> {
  for (const table of EXPIRING) await tx.run(`DELETE FROM ${table} WHERE expires_at <= ?`, [now]);
  await tx.run('DELETE FROM registrations WHERE purge_at <= ?', [now]);
}
