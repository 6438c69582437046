import { column, type Database, type Row, type Transaction } from '../../mock/index.ts';
import type { Clock } from '../../runtime/index.ts';
import type { Decision } from '../decision.ts';
import { decideMint, type MintDecision, type MintFacts } from '../mint/decide-mint.ts';
import { type Scopes, union } from '../mint/scopes.ts';

/** A question that waits for its user on the consent page. */
export interface ConsentRequest {
  readonly id: string;
  readonly email: string;
  readonly audience: string;
  readonly scopes: Scopes;
  readonly resource: string | undefined;
}

export interface MintInput
  extends Pick<MintFacts, 'requested' | 'offered' | 'autoApproved' | 'authTime'> {
  readonly email: string;
  readonly audience: string;
  readonly resource: string | undefined;
  /** The id of the question, should there be a new one to ask. */
  readonly freshId: string;
}

export type Minting =
  | Exclude<MintDecision, { readonly kind: 'ask' }>
  | { readonly kind: 'ask'; readonly requestId: string };

/** Consents, and the questions for them; each method is one atomic change. */
export class ConsentStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Decides about an ID-JAG and stores what follows: a consent, a question, or that a refusal was told. */
  async mint(
    input: MintInput,
    lifetimes: { readonly maxAuthAge: number; readonly consentRequest: number },
  ): Promise<Minting> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const { email, audience } = input;
      const requestRow = await tx.get(
        'SELECT * FROM consent_requests WHERE email = ? AND audience = ? AND expires_at > ?',
        [email, audience, now],
      );
      const denied = column.optionalNumber(requestRow?.['denied_at']) !== undefined;
      const consent = await findConsent(tx, email, audience);
      const decision = decideMint({ ...input, consent, denied }, now, lifetimes.maxAuthAge);
      if (decision.kind === 'mint' && decision.consentTo) {
        await grantConsent(tx, { email, audience, scopes: decision.consentTo.scopes }, now);
      }
      // A refusal is told once; after it the user may be asked again.
      if (decision.kind === 'refused' && decision.code === 'access_denied') {
        await tx.run('DELETE FROM consent_requests WHERE email = ? AND audience = ?', [
          email,
          audience,
        ]);
      }
      if (decision.kind !== 'ask') return decision;
      const question = { ...input, id: input.freshId, scopes: decision.scopes };
      const requestId = await ask(tx, requestRow, question, now, now + lifetimes.consentRequest);
      return { kind: 'ask', requestId };
    });
  }

  /** A question that is not over. */
  async find(id: string): Promise<ConsentRequest | undefined> {
    return this.#db.transaction((tx) => findOpen(tx, id, this.#clock.now()));
  }

  /** `false`: the question is unknown, over, replaced, somebody else's, or was answered the other way. */
  async decide(id: string, email: string, decision: Decision): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const request = await findOpen(tx, id, now);
      if (request === undefined || request.email !== email) return false;
      const answered = await tx.get(
        'SELECT approved_at, denied_at FROM consent_requests WHERE id = ?',
        [id],
      );
      const approved = column.optionalNumber(answered?.['approved_at']) !== undefined;
      const denied = column.optionalNumber(answered?.['denied_at']) !== undefined;
      if (decision === 'deny') {
        if (!denied && !approved) {
          await tx.run('UPDATE consent_requests SET denied_at = ? WHERE id = ?', [now, id]);
        }
        return !approved;
      }
      if (!approved && !denied) {
        await tx.run('UPDATE consent_requests SET approved_at = ? WHERE id = ?', [now, id]);
        await grantConsent(tx, request, now);
      }
      return !denied;
    });
  }
}

/** Records what a user agreed to, beside what was agreed to before. */
export async function grantConsent(
  tx: Transaction,
  { email, audience, scopes }: Pick<ConsentRequest, 'email' | 'audience' | 'scopes'>,
  now: number,
): Promise<void> {
  const before = await findConsent(tx, email, audience);
  const all = before ? union(before.scopes, scopes) : scopes;
  await tx.run(
    `INSERT INTO consents (email, audience, scopes, granted_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (email, audience) DO UPDATE SET scopes = excluded.scopes,
       granted_at = excluded.granted_at`,
    [email, audience, all?.join(' ') ?? null, now],
  );
}

async function findConsent(tx: Transaction, email: string, audience: string) {
  const row = await tx.get('SELECT scopes FROM consents WHERE email = ? AND audience = ?', [
    email,
    audience,
  ]);
  return row && { scopes: column.optionalList(row['scopes']) };
}

/**
 * Keeps the open question if it is the same one, so that its page stays good; another question gets
 * another id, so that nobody agrees to something other than what the page showed.
 */
async function ask(
  tx: Transaction,
  openRow: Row | undefined,
  question: ConsentRequest,
  now: number,
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
  await tx.run('DELETE FROM consent_requests WHERE expires_at <= ?', [now]);
  await tx.run('DELETE FROM consent_requests WHERE email = ? AND audience = ?', [
    question.email,
    question.audience,
  ]);
  await tx.run(
    `INSERT INTO consent_requests (id, email, audience, scopes, resource, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [
      question.id,
      question.email,
      question.audience,
      question.scopes?.join(' ') ?? null,
      question.resource ?? null,
      expiresAt,
    ],
  );
  return question.id;
}

async function findOpen(
  tx: Transaction,
  id: string,
  now: number,
): Promise<ConsentRequest | undefined> {
  const row = await tx.get('SELECT * FROM consent_requests WHERE id = ? AND expires_at > ?', [
    id,
    now,
  ]);
  return row && toRequest(row);
}

function toRequest(row: Row): ConsentRequest {
  return {
    id: column.text(row['id']),
    email: column.text(row['email']),
    audience: column.text(row['audience']),
    scopes: column.optionalList(row['scopes']),
    resource: column.optionalText(row['resource']),
  };
}
