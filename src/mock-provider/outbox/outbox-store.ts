import {
  type Actor,
  column,
  type Database,
  type Reader,
  type Row,
  recordAudit,
  type Transaction,
} from '../../mock/index.ts';
import { MINUTE } from '../../protocol/index.ts';
import type { Clock } from '../../runtime/index.ts';
import { type AfterAttempt, LONGEST_WAIT, TRIED_FOR } from './after-attempt.ts';
import type { Leased, OutboxEntry } from './outbox-entry.ts';
import { findEvent, LEASE, purgeAt, toEntry } from './outbox-row.ts';
import type { Queued } from './queue-event.ts';

/** How much the clocks of two machines at one store may differ. */
const TOLERANCE = MINUTE;

const IS_DUE = '(next_at <= ? OR next_at > ? OR (lease IS NOT NULL AND next_at > ?))';
const CLAIM = `UPDATE outbox SET lease = ?, next_at = ? WHERE id = ? AND ${IS_DUE}`;
/** Three ranges of two indexes, the outbox itself is not searched. */
const DUE = `SELECT id, next_at FROM outbox WHERE issuer = ? AND next_at <= ?
  UNION SELECT id, next_at FROM outbox WHERE issuer = ? AND next_at > ?
  UNION SELECT id, next_at FROM outbox WHERE issuer = ? AND lease IS NOT NULL AND next_at > ?
  ORDER BY next_at, id LIMIT ?`;

/**
 * Three instants: what is due by them is due. The first is now; no event waits, or is being sent, as
 * long as the others say, so whatever is due only after them was written before the clock was set back.
 */
function dueAt(now: number): readonly [number, number, number] {
  return [now, now + LONGEST_WAIT + TOLERANCE, now + LEASE + TOLERANCE];
}

/** Who has an event sent again by hand. With `email`: only one of that user's. */
export interface SentAgainBy {
  readonly actor: Actor;
  readonly email?: string | undefined;
}

/** Events to be sent; each method is one atomic change. */
export class OutboxStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #issuer: string;

  /** @param issuer whose events are sent from here; a store can hold those of another issuer. */
  constructor(db: Database, clock: Clock, issuer: string) {
    this.#db = db;
    this.#clock = clock;
    this.#issuer = issuer;
  }

  /** The newest ones of all users. */
  async list(limit: number): Promise<readonly OutboxEntry[]> {
    return this.#all('SELECT * FROM outbox ORDER BY toe DESC, id LIMIT ?', [limit]);
  }

  /** The newest ones of one user. */
  async listOf(email: string, limit: number): Promise<readonly OutboxEntry[]> {
    return this.#all('SELECT * FROM outbox WHERE email = ? ORDER BY toe DESC, id LIMIT ?', [
      email,
      limit,
    ]);
  }

  /** Those of the newest revocation: one for each issuer that had named the user. */
  async latest(email: string, audience: string): Promise<readonly OutboxEntry[]> {
    return this.#all(
      `SELECT * FROM outbox WHERE email = ? AND audience = ? AND toe =
         (SELECT MAX(toe) FROM outbox WHERE email = ? AND audience = ?) ORDER BY id`,
      [email, audience, email, audience],
    );
  }

  /** When the next one is due; `undefined` when none is pending. */
  async nextDueAt(): Promise<number | undefined> {
    return this.#db.read(async (reader) => {
      const now = this.#clock.now();
      if ((await this.#due(reader, now, 1)).length > 0) return now;
      const row = await reader.get(
        `SELECT next_at FROM outbox WHERE issuer = ? AND next_at IS NOT NULL
         ORDER BY next_at LIMIT 1`,
        [this.#issuer],
      );
      return row && column.number(row['next_at']);
    });
  }

  /**
   * Leases what is due, so that of two processes one sends it. A lease that ran out is due again: its
   * holder was killed, or is too slow to be waited for. So is what lies ahead further than anything can.
   */
  async claimDue(lease: string, limit: number): Promise<readonly Leased[]> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const claimed: Leased[] = [];
      for (const id of await this.#due(tx, now, limit)) {
        const isOurs = await tx.run(CLAIM, [lease, now + LEASE, id, ...dueAt(now)]);
        if (isOurs === 1) claimed.push(leased(await findEvent(tx, id), lease));
      }
      return claimed;
    });
  }

  /**
   * Leases one to be sent again by hand, under its old `jti`: from now on, it is tried as long as a new
   * one. One that is delivered, or just being sent, is left alone: then there is no lease.
   */
  async claimAgain(
    id: string,
    lease: string,
    { actor, email }: SentAgainBy,
  ): Promise<Queued | undefined> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const row = await tx.getForUpdate('SELECT * FROM outbox WHERE id = ?', [id]);
      if (row === undefined) return undefined;
      const entry = toEntry(row);
      if (email !== undefined && entry.email !== email) return undefined;
      if (entry.state === 'delivered' || entry.issuer !== this.#issuer) return { entry };
      const isOurs = await tx.run(
        `UPDATE outbox SET state = 'pending', attempts = 0, lease = ?, next_at = ?, give_up_at = ?,
           purge_at = ? WHERE id = ? AND (lease IS NULL OR ${IS_DUE})`,
        [lease, now + LEASE, now + TRIED_FOR, purgeAt('pending', now), id, ...dueAt(now)],
      );
      if (isOurs === 0) return { entry };
      await recordAudit(tx, {
        owner: 'provider',
        at: now,
        actor,
        action: 'event.requeued',
        detail: { event: id, audience: entry.audience },
      });
      const again = leased(await findEvent(tx, id), lease);
      return { entry: again.entry, leased: again };
    });
  }

  /** Stores the result of an attempt; ignored when the lease was lost meanwhile. */
  async settle({ entry, lease }: Leased, after: AfterAttempt): Promise<OutboxEntry> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const { nextAttemptAt, problem, state } = after;
      const changed = await tx.run(
        `UPDATE outbox SET state = ?, attempts = attempts + 1, last_at = ?, next_at = ?, lease = NULL,
           problem = ?, problem_status = ?, problem_text = ?, purge_at = ?
         WHERE id = ? AND lease = ?`,
        [
          state,
          now,
          nextAttemptAt ?? null,
          problem?.code ?? null,
          problem?.status ?? null,
          problem?.text ?? null,
          purgeAt(state, now),
          entry.id,
          lease,
        ],
      );
      if (changed === 1) await auditEnd(tx, entry, after, now);
      return toEntry(await findEvent(tx, entry.id));
    });
  }

  /** Releases an unused lease: the entry is due at once, for the next process. */
  async release({ entry, lease }: Leased): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.run('UPDATE outbox SET lease = NULL, next_at = ? WHERE id = ? AND lease = ?', [
        this.#clock.now(),
        entry.id,
        lease,
      ]),
    );
  }

  async #due(reader: Reader, now: number, limit: number): Promise<readonly string[]> {
    const ranges = dueAt(now).flatMap((instant) => [this.#issuer, instant]);
    return (await reader.all(DUE, [...ranges, limit])).map(({ id }) => column.text(id));
  }

  async #all(sql: string, params: readonly (string | number)[]): Promise<readonly OutboxEntry[]> {
    return (await this.#db.read((reader) => reader.all(sql, params))).map(toEntry);
  }
}

const END_ACTIONS = {
  delivered: 'event.delivered',
  parked: 'event.parked',
  none: 'event.undeliverable',
} as const;

async function auditEnd(
  tx: Transaction,
  { audience, id, issuer }: OutboxEntry,
  { problem, state }: AfterAttempt,
  at: number,
): Promise<void> {
  if (state === 'pending') return;
  await recordAudit(tx, {
    owner: 'provider',
    at,
    actor: `provider ${issuer}`,
    action: END_ACTIONS[state],
    detail: { event: id, audience, ...(problem && { problem: problem.code }) },
  });
}

function leased(row: Row, lease: string): Leased {
  return { entry: toEntry(row), lease, giveUpAt: column.number(row['give_up_at']) };
}
