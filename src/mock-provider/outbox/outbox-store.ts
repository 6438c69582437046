import {
  type Actor,
  column,
  type Database,
  type Row,
  recordAudit,
  type Transaction,
  userActor,
} from '../../mock/index.ts';
import { DAY, MINUTE } from '../../protocol/index.ts';
import type { Clock } from '../../runtime/index.ts';
import { type AfterAttempt, TRIED_FOR } from './after-attempt.ts';
import type { EventState, Leased, OutboxEntry } from './outbox-entry.ts';

/** How long one process may take to send; then another takes over. Longer than an attempt may last. */
const LEASE = MINUTE;
/** How long an event that was sent, or that nobody wants, is kept to be seen. */
const DONE_RETENTION = 7 * DAY;
/** How long a parked event waits for a person; a service forgets a `jti` after about as long. */
const PARKED_RETENTION = 30 * DAY;

const CLAIM = 'UPDATE outbox SET lease = ?, next_at = ? WHERE id = ? AND next_at <= ?';

export interface NewEvent
  extends Pick<OutboxEntry, 'id' | 'issuer' | 'audience' | 'subject' | 'email'> {
  /** Under which the caller sends it at once. */
  readonly lease: string;
  /** Who revoked. */
  readonly actor: Actor;
}

/**
 * Puts an event into the outbox, within the transaction that makes it true: neither is there without
 * the other. It is leased to the caller from the start.
 */
export async function queueEvent(tx: Transaction, event: NewEvent, now: number): Promise<Leased> {
  const { id, issuer, audience, subject, email, lease, actor } = event;
  await tx.run('DELETE FROM outbox WHERE purge_at <= ?', [now]);
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
      now + LEASE,
      lease,
      now + TRIED_FOR,
      purgeAt('pending', now),
    ],
  );
  const detail = { event: id, audience };
  await recordAudit(tx, { owner: 'provider', at: now, actor, action: 'event.queued', detail });
  return leased(await find(tx, id), lease);
}

/** Events that are to be told; each method is one atomic change. */
export class OutboxStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #issuer: string;

  /** @param issuer whose events are sent from here; a store can hold those of another address. */
  constructor(db: Database, clock: Clock, issuer: string) {
    this.#db = db;
    this.#clock = clock;
    this.#issuer = issuer;
  }

  /** The newest ones of everybody. */
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

  async latest(email: string, audience: string): Promise<OutboxEntry | undefined> {
    const [entry] = await this.#all(
      'SELECT * FROM outbox WHERE email = ? AND audience = ? ORDER BY toe DESC, id LIMIT 1',
      [email, audience],
    );
    return entry;
  }

  /** When the next one is due; `undefined` when none is pending. */
  async nextDueAt(): Promise<number | undefined> {
    const row = await this.#db.read((reader) =>
      reader.get(
        `SELECT next_at FROM outbox WHERE issuer = ? AND next_at IS NOT NULL
         ORDER BY next_at LIMIT 1`,
        [this.#issuer],
      ),
    );
    return row && column.number(row['next_at']);
  }

  /**
   * Leases what is due, so that of two processes one sends it. A lease that ran out is due again: its
   * holder was killed, or is too slow to be waited for.
   */
  async claimDue(lease: string, limit: number): Promise<readonly Leased[]> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const due = await tx.all(
        'SELECT * FROM outbox WHERE issuer = ? AND next_at <= ? ORDER BY next_at LIMIT ?',
        [this.#issuer, now, limit],
      );
      const claimed: Leased[] = [];
      for (const row of due) {
        const isOurs = await tx.run(CLAIM, [lease, now + LEASE, column.text(row['id']), now]);
        if (isOurs === 1) claimed.push(leased(row, lease));
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
    email?: string,
  ): Promise<{ readonly entry: OutboxEntry; readonly leased?: Leased } | undefined> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const row = await tx.get('SELECT * FROM outbox WHERE id = ?', [id]);
      if (row === undefined) return undefined;
      const entry = toEntry(row);
      if (email !== undefined && entry.email !== email) return undefined;
      if (entry.state === 'delivered' || entry.issuer !== this.#issuer) return { entry };
      const isOurs = await tx.run(
        `UPDATE outbox SET state = 'pending', attempts = 0, lease = ?, next_at = ?, give_up_at = ?,
           purge_at = ? WHERE id = ? AND (lease IS NULL OR next_at <= ?)`,
        [lease, now + LEASE, now + TRIED_FOR, purgeAt('pending', now), id, now],
      );
      if (isOurs === 0) return { entry };
      await recordAudit(tx, {
        owner: 'provider',
        at: now,
        actor: email === undefined ? 'control' : userActor(email),
        action: 'event.requeued',
        detail: { event: id, audience: entry.audience },
      });
      const again = leased(await find(tx, id), lease);
      return { entry: again.entry, leased: again };
    });
  }

  /** Stores what an attempt came to. Whoever lost the lease meanwhile has nothing to say. */
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
      return toEntry(await find(tx, entry.id));
    });
  }

  /** Gives a lease back unused: the entry is due at once, for whoever comes next. */
  async release({ entry, lease }: Leased): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.run('UPDATE outbox SET lease = NULL, next_at = ? WHERE id = ? AND lease = ?', [
        this.#clock.now(),
        entry.id,
        lease,
      ]),
    );
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

/** A pending one is settled long before: the end is for one whose provider never comes back. */
function purgeAt(state: EventState, now: number): number {
  const keptFor = {
    pending: TRIED_FOR + PARKED_RETENTION,
    parked: PARKED_RETENTION,
    delivered: DONE_RETENTION,
    none: DONE_RETENTION,
  } as const;
  return now + keptFor[state];
}

async function find(tx: Transaction, id: string): Promise<Row> {
  return (await tx.get('SELECT * FROM outbox WHERE id = ?', [id])) ?? {};
}

function leased(row: Row, lease: string): Leased {
  return { entry: toEntry(row), lease, giveUpAt: column.number(row['give_up_at']) };
}

const STATES: readonly EventState[] = ['pending', 'delivered', 'parked', 'none'];

function toEntry(row: Row): OutboxEntry {
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
