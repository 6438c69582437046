import type { Visitor } from '../../mock/sessions/sessions.ts';
import { column, type Reader, type Row, type Transaction } from '../../mock/store/database.ts';
import type { Scopes } from '../mint/scopes.ts';

/** A request for consent that waits for its user on the consent page. */
export interface ConsentRequest {
  readonly id: string;
  readonly email: string;
  readonly audience: string;
  /** The client that asks. `undefined`: the agent. */
  readonly client: string | undefined;
  readonly scopes: Scopes;
  readonly resource: string | undefined;
}

/** Whose consent it is, to whom, and by which client. */
export type ConsentKey = Pick<ConsentRequest, 'email' | 'audience' | 'client'>;

/** A consent request that has not expired, and what was decided about it. */
export interface AskedConsent extends ConsentRequest {
  readonly expiresAt: number;
  readonly state: 'open' | 'approved' | 'denied' | 'expired';
}

/** What can become of a consent request. */
export const CONSENT_DECISIONS = ['approve', 'deny', 'expire'] as const;
export type ConsentDecision = (typeof CONSENT_DECISIONS)[number];

/** Whether a visitor may answer: only the user who is asked may agree. */
export function mayAnswer({ email }: ConsentRequest, visitor: Pick<Visitor, 'email'>): boolean {
  return email === visitor.email;
}

/** A condition on the tables of consents and of requests for them. */
export interface ConsentCondition {
  readonly where: string;
  readonly values: readonly string[];
}

/** Which consent counts: that of this user, to this audience, by this client. */
export function consentFor({ audience, client, email }: ConsentKey): ConsentCondition {
  return {
    where: 'email = ? AND audience = ? AND client = ?',
    values: [email, audience, client ?? ''],
  };
}

/**
 * Keeps the open consent request if it is the same, so that its page stays valid; another one gets
 * another id, so that a user agrees to what the page showed alone.
 */
export async function ask(
  tx: Transaction,
  before: AskedConsent | undefined,
  question: ConsentRequest,
  expiresAt: number,
): Promise<string> {
  const { audience, client = '', email, id, resource = null } = question;
  const scopes = question.scopes?.join(' ') ?? null;
  const isSame =
    (before?.scopes?.join(' ') ?? null) === scopes && (before?.resource ?? null) === resource;
  if (before?.state === 'open' && isSame) {
    await tx.run('UPDATE consent_requests SET expires_at = ? WHERE id = ?', [expiresAt, before.id]);
    return before.id;
  }
  await dropRequests(tx, question);
  await tx.run(
    `INSERT INTO consent_requests (id, email, audience, client, scopes, resource, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [id, email, audience, client, scopes, resource, expiresAt],
  );
  return id;
}

/** Removes the consent request of a client to a user for an audience, answered or not. */
export async function dropRequests(tx: Transaction, key: ConsentKey): Promise<void> {
  const { values, where } = consentFor(key);
  await tx.run(`DELETE FROM consent_requests WHERE ${where}`, values);
}

/** The consent requests that have not expired, by a condition on their table. */
export async function findRequests(
  reader: Reader,
  { values, where }: ConsentCondition,
  now: number,
): Promise<readonly AskedConsent[]> {
  const sql = `SELECT * FROM consent_requests WHERE ${where} AND expires_at > ? ORDER BY expires_at, id`;
  return (await reader.all(sql, [...values, now])).map(toAsked);
}

/** Who asks, or was agreed to. */
export function clientOf(row: Row): string | undefined {
  return column.text(row['client']) || undefined;
}

function toAsked(row: Row): AskedConsent {
  const isAnswered = (name: string) => column.optionalNumber(row[name]) !== undefined;
  const unless = isAnswered('denied_at') ? 'denied' : 'open';
  return {
    id: column.text(row['id']),
    email: column.text(row['email']),
    audience: column.text(row['audience']),
    client: clientOf(row),
    scopes: column.optionalList(row['scopes']),
    resource: column.optionalText(row['resource']),
    expiresAt: column.number(row['expires_at']),
    state: isAnswered('approved_at') ? 'approved' : unless,
  };
}
