import { column, type Row, type Transaction } from '../../mock/index.ts';
import { DAY, MINUTE } from '../../protocol/index.ts';
import { TRIED_FOR } from './after-attempt.ts';
import type { EventState, OutboxEntry } from './outbox-entry.ts';

/** How long one process may take to send; then another takes over. Longer than an attempt may last. */
export const LEASE = MINUTE;
/** How long an event that was delivered, or that has no receiver, is kept to be listed. */
const DONE_RETENTION = 7 * DAY;
/** How long a parked event is kept; a service forgets a `jti` after about as long. */
const PARKED_RETENTION = 30 * DAY;

/** A pending event is purged only when its provider never starts again. */
export function purgeAt(state: EventState, now: number): number {
  const keptFor = {
    pending: TRIED_FOR + PARKED_RETENTION,
    parked: PARKED_RETENTION,
    delivered: DONE_RETENTION,
    none: DONE_RETENTION,
  } as const;
  return now + keptFor[state];
}

export async function findEvent(tx: Transaction, id: string): Promise<Row> {
  return (await tx.get('SELECT * FROM outbox WHERE id = ?', [id])) ?? {};
}

const STATES: readonly EventState[] = ['pending', 'delivered', 'parked', 'none'];

export function toEntry(row: Row): OutboxEntry {
  const state = STATES.find((known) => known === row['state']);
  if (state === undefined) throw new TypeError('The store holds an event in an unknown state.');
  const code = column.optionalText(row['problem']);
  const status = column.optionalNumber(row['problem_status']);
  const text = column.optionalText(row['problem_text']);
  return {
    id: column.text(row['id']),
    issuer: column.text(row['issuer']),
    audience: column.text(row['audience']),
    subject: column.text(row['subject']),
    email: column.text(row['email']),
    revokedAt: column.number(row['toe']),
    state,
    attempts: column.number(row['attempts']),
    lastAttemptAt: column.optionalNumber(row['last_at']),
    nextAttemptAt: column.optionalNumber(row['next_at']),
    isBeingSent: state === 'pending' && column.optionalText(row['lease']) !== undefined,
    problem:
      code === undefined
        ? undefined
        : {
            code,
            ...(status !== undefined && { status }),
            ...(text !== undefined && { text }),
          },
  };
}
