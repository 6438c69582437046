import type { Visitor } from '../../mock/sessions/sessions.ts';
import { column } from '../../mock/store/column.ts';
import type { Reader, Row, Transaction } from '../../mock/store/database.ts';
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

/** One that has not expired, and what was decided about it. */
export interface AskedConsent extends OpenRequest {
  readonly state: 'open' | 'approved' | 'denied' | 'expired';
}

/** What can become of a consent request. */
export const CONSENT_DECISIONS = ['approve', 'deny', 'expire'] as const;
export type ConsentDecision = (typeof CONSENT_DECISIONS)[number];

/** One that is stored. */
export interface OpenRequest extends ConsentRequest {
  readonly expiresAt: number;
}

/** Only the user who is asked may agree. */
export function mayAnswer({ email }: ConsentRequest, visitor: Pick<Visitor, 'email'>): boolean {
  return email === visitor.email;
}

/**
 * Keeps the open consent request if it is the same, so that its page stays valid; another one gets
 * another id, so that a user agrees to what the page showed alone.
 */
export async function ask(
  tx: Transaction,
  openRow: Row | undefined,
  question: ConsentRequest,
  expiresAt: number,
): Promise<string> {
  const open = openRow && toRequest(openRow);
  const isOpen = openRow?.['approved_at'] === null && openRow['denied_at'] === null;
  const isSame =
    open?.scopes?.join(' ') === question.scopes?.join(' ') && open?.resource === question.resource;
  if (open !== undefined && isOpen && isSame) {
    await tx.run('UPDATE consent_requests SET expires_at = ? WHERE id = ?', [expiresAt, open.id]);
    return open.id;
  }
  await dropRequests(tx, question);
  await tx.run(
    `INSERT INTO consent_requests (id, email, audience, client, scopes, resource, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [
      question.id,
      question.email,
      question.audience,
      question.client ?? '',
      question.scopes?.join(' ') ?? null,
      question.resource ?? null,
      expiresAt,
    ],
  );
  return question.id;
}

/** Removes the consent request of a client to a user for an audience, answered or not. */
export async function dropRequests(
  tx: Transaction,
  { audience, client, email }: ConsentKey,
): Promise<void> {
  await tx.run('DELETE FROM consent_requests WHERE email = ? AND audience = ? AND client = ?', [
    email,
    audience,
    client ?? '',
  ]);
}

/** A consent request that has not expired. */
export async function findOpenRequest(
  reader: Reader,
  id: string,
  now: number,
): Promise<OpenRequest | undefined> {
  const row = await reader.get('SELECT * FROM consent_requests WHERE id = ? AND expires_at > ?', [
    id,
    now,
  ]);
  return row && toRequest(row);
}

/** Who asks, or was agreed to. */
export function clientOf(row: Row): string | undefined {
  return column.text(row['client']) || undefined;
}

function toRequest(row: Row): OpenRequest {
  return {
    id: column.text(row['id']),
    email: column.text(row['email']),
    audience: column.text(row['audience']),
    client: clientOf(row),
    scopes: column.optionalList(row['scopes']),
    resource: column.optionalText(row['resource']),
    expiresAt: column.number(row['expires_at']),
  };
}

/** With what was decided about it. */
export function toAsked(row: Row): AskedConsent {
  const isAnswered = (name: string) => column.optionalNumber(row[name]) !== undefined;
  const unless = isAnswered('denied_at') ? 'denied' : 'open';
  return { ...toRequest(row), state: isAnswered('approved_at') ? 'approved' : unless };
}
