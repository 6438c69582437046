import { type Actor, recordAudit, type Transaction } from '../../mock/index.ts';
import { TRIED_FOR } from './after-attempt.ts';
import type { Leased, OutboxEntry } from './outbox-entry.ts';
import { findEvent, LEASE, purgeAt, toEntry } from './outbox-row.ts';

export interface NewEvent
  extends Pick<OutboxEntry, 'id' | 'issuer' | 'audience' | 'subject' | 'email'> {
  /** Under which the caller sends it at once. */
  readonly lease: string;
  /** Who revoked. */
  readonly actor: Actor;
}

/** An event in the outbox. `leased` when it is the caller's to be sent. */
export interface Queued {
  readonly entry: OutboxEntry;
  readonly leased?: Leased;
}

/**
 * Puts an event into the outbox, within the transaction of its revocation: neither is stored without
 * the other. It is leased to the caller from the start, unless it is of another issuer than `own`: then
 * it is due at once for a provider at that URL.
 */
export async function queueEvent(
  tx: Transaction,
  event: NewEvent,
  own: string,
  now: number,
): Promise<Queued> {
  const { id, issuer, audience, subject, email, lease, actor } = event;
  const isOurs = issuer === own;
  // What is still to be sent is never forgotten. At a URL that this provider no longer has,
  // perhaps no provider starts again: those are purged.
  await tx.run(
    `DELETE FROM outbox WHERE id IN
       (SELECT id FROM outbox WHERE purge_at <= ? AND (state <> 'pending' OR issuer <> ?)
        ORDER BY purge_at LIMIT 50 ${tx.skipLocked})`,
    [now, own],
  );
  await tx.run(
    `INSERT INTO outbox (id, issuer, audience, subject, email, toe, state, attempts, next_at, lease,
       give_up_at, purge_at)
     VALUES (?, ?, ?, ?, ?, ?, 'pending', 0, ?, ?, ?, ?)`,
    [
      id,
      issuer,
      audience,
      subject,
      email,
      now,
      isOurs ? now + LEASE : now,
      isOurs ? lease : null,
      now + TRIED_FOR,
      purgeAt('pending', now),
    ],
  );
  const detail = { event: id, audience };
  await recordAudit(tx, { owner: 'provider', at: now, actor, action: 'event.queued', detail });
  const entry = toEntry(await findEvent(tx, id));
  return isOurs ? { entry, leased: { entry, lease, giveUpAt: now + TRIED_FOR } } : { entry };
}
