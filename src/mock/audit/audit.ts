import { maskEmail } from '../../protocol/index.ts';
import { column, type Database, type Row, type Transaction } from '../store/index.ts';

/** Who changed something. A user's email is masked, an agent has no name of its own (AMD-11). */
export type Actor = 'agent' | 'control' | `user ${string}` | `provider ${string}`;

/** Every change of state that is recorded. */
export type AuditAction =
  | 'registration.created'
  | 'registration.refreshed'
  | 'registration.revoked'
  | 'assertion.issued'
  | 'credentials.ended'
  | 'claim.started'
  | 'claim.code_wrong'
  | 'claim.confirmed'
  | 'claim.denied'
  | 'claim.completed'
  | 'claim.delivered'
  | 'token.issued'
  | 'token.revoked'
  | 'user.created'
  | 'user.provisioned'
  | 'account.linked'
  | 'link.reviewed'
  | 'event.received'
  | 'sign_in.approved'
  | 'sign_in.denied'
  | 'consent.granted'
  | 'consent.denied'
  | 'consent.revoked'
  | 'id_jag.minted'
  | 'event.queued'
  | 'event.requeued'
  | 'event.undeliverable'
  | 'event.delivered'
  | 'event.parked'
  | 'keys.rotated'
  | 'clock.moved'
  | 'faults.set'
  | 'trust.added'
  | 'directory.added'
  | 'directory.changed'
  | 'directory.removed'
  | 'reset';

export interface AuditEntry {
  /** Whose change it is. */
  readonly owner: 'service' | 'provider';
  /** In milliseconds. */
  readonly at: number;
  /** Who made it. */
  readonly actor: Actor;
  /** What was done: `registration.created`, for one. */
  readonly action: AuditAction;
  /** Which registration it is about, where it is about one. */
  readonly registrationId?: string | undefined;
  /** Facts beside it: scopes, an issuer, a time. Never a secret, never a whole email. */
  readonly detail?: Readonly<Record<string, string | number>>;
}

/** One change of state: when, by whom, of what. */
export interface AuditRecord extends AuditEntry {
  /** Counts up from 1 for each owner, without a gap, also over a reset. */
  readonly seq: number;
}

/** How many entries an owner keeps: the audit trail must not grow for ever. */
const KEPT = 10_000;
/** What is beyond that goes with the first entry of an owner that this process records, and with every so many. */
const PRUNED_WITH_EACH = 128;
const recorded = { service: 0, provider: 0 };

/** Records a change, in its own transaction: neither is stored without the other. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { owner, at, actor, action, registrationId, detail } = entry;
  tx.later(
    `INSERT INTO audit (owner, at, actor, action, registration_id, detail)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [owner, at, actor, action, registrationId ?? null, detail ? JSON.stringify(detail) : null],
  );
  if (recorded[owner] % PRUNED_WITH_EACH === 0) {
    // Its lock is held while nothing else is waited for.
    await tx.atEnd(() => keepLatest(tx, owner, KEPT));
  }
  recorded[owner] += 1;
}

/** Leaves the latest entry alone. */
export async function forgetEarlier(tx: Transaction, owner: AuditEntry['owner']): Promise<void> {
  await keepLatest(tx, owner, 1);
}

async function keepLatest(
  tx: Transaction,
  owner: AuditEntry['owner'],
  kept: number,
): Promise<void> {
  await numberEntries(tx, owner);
  const last = await tx.get('SELECT MAX(seq) AS seq FROM audit WHERE owner = ?', [owner]);
  const seq = column.optionalNumber(last?.['seq']) ?? 0;
  await tx.run('DELETE FROM audit WHERE owner = ? AND seq <= ?', [owner, seq - kept]);
}

/**
 * Gives the next numbers to what has none yet. Whoever reads the trail sees an entry with its number or
 * not at all, and whatever is committed later has a higher one.
 */
async function numberEntries(tx: Transaction, owner: AuditEntry['owner']): Promise<void> {
  await tx.lock(['audit', owner]);
  await tx.run(
    `UPDATE audit SET seq = numbered.seq FROM (
       SELECT entry, ROW_NUMBER() OVER (ORDER BY entry)
         + (SELECT COALESCE(MAX(seq), 0) FROM audit WHERE owner = ?) AS seq
       FROM audit WHERE owner = ? AND seq IS NULL) AS numbered
     WHERE audit.entry = numbered.entry`,
    [owner, owner],
  );
}

interface AuditQuery {
  readonly owner: AuditEntry['owner'];
  /** Only what came after this one. Default: from the first. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** The trail, oldest first: who asks for what came after the last that it knows misses nothing. */
export async function readAudit(
  db: Database,
  { owner, after = 0, limit }: AuditQuery,
): Promise<readonly AuditRecord[]> {
  const fresh = 'SELECT entry FROM audit WHERE owner = ? AND seq IS NULL LIMIT 1';
  if (await db.read((reader) => reader.get(fresh, [owner]))) {
    await db.transaction((tx) => numberEntries(tx, owner));
  }
  const rows = await db.read((reader) =>
    reader.all('SELECT * FROM audit WHERE owner = ? AND seq > ? ORDER BY seq LIMIT ?', [
      owner,
      after,
      limit,
    ]),
  );
  return rows.map((row) => toRecord(owner, row));
}

/** A user as an actor, the email masked. */
export function userActor(email: string): Actor {
  return `user ${maskEmail(email)}`;
}

function toRecord(owner: AuditEntry['owner'], row: Row): AuditRecord {
  const detail = column.optionalText(row['detail']);
  return {
    owner,
    seq: column.number(row['seq']),
    at: column.number(row['at']),
    actor: column.text(row['actor']) as Actor,
    action: column.text(row['action']) as AuditAction,
    registrationId: column.optionalText(row['registration_id']),
    ...(detail !== undefined && { detail: JSON.parse(detail) as Record<string, string | number> }),
  };
}
