import { type Actor, type AuditEntry, recordAudit } from '../../mock/audit/audit.ts';
import { column, type Reader, type Transaction } from '../../mock/store/database.ts';
import { DAY, MINUTE } from '../../protocol/durations.ts';
import { type OutboxEntry, TRIED_FOR } from './outbox-entry.ts';

/** How long one process may take to send; then another takes over. Longer than an attempt may last. */
export const TAKE_OVER = MINUTE;

/**
 * How long an event is kept; a service forgets a `jti` after about as long as one is parked. A pending one
 * goes only when its provider never starts again.
 */
const KEPT_FOR = {
  pending: TRIED_FOR + 30 * DAY,
  parked: 30 * DAY,
  delivered: 7 * DAY,
  none: 7 * DAY,
} as const;

/** An event that is new: whose, and who revoked. */
export type NewEvent = Pick<OutboxEntry, 'id' | 'issuer' | 'audience' | 'subject' | 'email'> & {
  readonly actor: Actor;
};

/**
 * Puts an event into the outbox, within the transaction of its revocation: neither is stored without
 * the other. It is the caller's to be sent from the start, unless it is of another issuer than `own`: then
 * it is due at once for a provider at that URL.
 */
export async function queueEvent(
  tx: Transaction,
  { actor, ...event }: NewEvent,
  own: string,
  now: number,
): Promise<OutboxEntry> {
  // What is still to be sent is never forgotten. At a URL that this provider no longer has,
  // perhaps no provider starts again: those are purged.
  await tx.run('DELETE FROM outbox WHERE purge_at <= ? AND (next_try IS NULL OR issuer <> ?)', [
    now,
    own,
  ]);
  const { audience, email, id, issuer } = event;
  const isBeingSent = issuer === own;
  const entry: OutboxEntry = {
    ...event,
    ...tried(now),
    revokedAt: now,
    nextAttemptAt: isBeingSent ? now + TAKE_OVER : now,
    isBeingSent,
  };
  await tx.run(
    `INSERT INTO outbox (id, issuer, email, audience, toe, next_try, purge_at, entry)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, issuer, email, audience, now, ...changing(entry, now)],
  );
  await auditEvent(tx, entry, 'event.queued', actor, now);
  return entry;
}

/** What an event has that is to be tried from now on. */
export function tried(now: number) {
  return { state: 'pending', attempts: 0, giveUpAt: now + TRIED_FOR } as const;
}

/**
 * Changes an event, unless another process did meanwhile: each change of one that is pending moves `next_try`,
 * so of several processes one sends it, and what became of it is ignored once another has taken over.
 */
export async function changeEvent(
  tx: Transaction,
  before: OutboxEntry,
  after: OutboxEntry,
  now: number,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE outbox SET next_try = ?, purge_at = ?, entry = ?
     WHERE id = ? AND COALESCE(next_try, 0) = ?`,
    [...changing(after, now), before.id, before.nextAttemptAt ?? 0],
  );
  return changed === 1;
}

function changing(entry: OutboxEntry, now: number) {
  const purgeAt = now + KEPT_FOR[entry.state];
  return [entry.nextAttemptAt ?? null, purgeAt, JSON.stringify(entry)] as const;
}

/** @param condition and order, of the columns of the table. */
export async function findEvents(
  reader: Reader,
  condition: string,
  params: readonly (string | number)[],
): Promise<readonly OutboxEntry[]> {
  const rows = await reader.all(`SELECT entry FROM outbox ${condition}`, params);
  return rows.map((row) => JSON.parse(column.text(row['entry'])) as OutboxEntry);
}

export async function auditEvent(
  tx: Transaction,
  { audience, id, problem, state }: OutboxEntry,
  action: AuditEntry['action'],
  actor: Actor,
  at: number,
): Promise<void> {
  const code = state === 'pending' ? undefined : problem?.code;
  const detail = { event: id, audience, ...(code !== undefined && { problem: code }) };
  await recordAudit(tx, { owner: 'provider', at, actor, action, detail });
}
