import { maskEmail } from '../../protocol/email.ts';
import { column, type Database, type Row, type Transaction } from '../store/database.ts';

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
  | 'consent.expired'
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
  | 'client.set'
  | 'client.removed'
  | 'policy.set'
  | 'sign_in.set'
  | 'tokens.ended'
  | 'directory.added'
  | 'directory.changed'
  | 'directory.removed'
  | 'reset';

export interface AuditEntry {
  /** Whose change it is. */
  readonly owner: 'service' | 'provider';
  /** When it was made, in milliseconds. */
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

/** A change of state: when, by whom, of what. */
export interface AuditRecord extends AuditEntry {
  /** Counts up from 1 for each owner, without a gap, also over a reset. */
  readonly seq: number;
}

/** How many entries an owner keeps, at least: the audit trail must not grow for ever. */
const KEPT = 10_000;
/** What is beyond that goes with one of so many. */
const PRUNED_WITH_EACH = 128;

/** Records a change, in its own transaction: neither is stored without the other. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { owner, at, actor, action, registrationId, detail } = entry;
  const facts = [at, actor, action, registrationId ?? null, detail ? JSON.stringify(detail) : null];
  const row = await tx.get(
    `INSERT INTO audit (owner, seq, at, actor, action, registration_id, detail)
     VALUES (?, (SELECT COALESCE(MAX(seq), 0) + 1 FROM audit WHERE owner = ?), ?, ?, ?, ?, ?)
     RETURNING seq`,
    [owner, owner, ...facts],
  );
  const seq = column.number(row?.['seq']);
  if (seq % PRUNED_WITH_EACH === 0) await removeUpTo(tx, owner, seq - KEPT);
}

/** Leaves the latest entry alone: the numbers go on after it. */
export async function forgetEarlier(tx: Transaction, owner: AuditEntry['owner']): Promise<void> {
  await removeUpTo(tx, owner, (await latestSeq(tx, owner)) - 1);
}

async function latestSeq(tx: Transaction, owner: AuditEntry['owner']): Promise<number> {
  const row = await tx.get('SELECT MAX(seq) AS seq FROM audit WHERE owner = ?', [owner]);
  return column.optionalNumber(row?.['seq']) ?? 0;
}

async function removeUpTo(tx: Transaction, owner: AuditEntry['owner'], seq: number): Promise<void> {
  await tx.run('DELETE FROM audit WHERE owner = ? AND seq <= ?', [owner, seq]);
}

interface AuditQuery {
  readonly owner: AuditEntry['owner'];
  /** The record after which to begin. Default: from the first. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** The trail, oldest first: who asks for what came after the last that it knows misses nothing. */
export async function readAudit(
  db: Database,
  { owner, after = 0, limit }: AuditQuery,
): Promise<readonly AuditRecord[]> {
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
