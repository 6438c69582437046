import {
  type Actor,
  column,
  type Database,
  type ExpiredRows,
  type Row,
  recordAudit,
  type Transaction,
  userActor,
} from '../../mock/index.ts';
import { maskEmail } from '../../protocol/index.ts';
import type { Clock } from '../../runtime/index.ts';
import type { UserDecision } from '../checks/user-decision.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { decideMint, MintDecision, MintFacts } from '../mint/decide-mint.ts';
import { type Scopes, union } from '../mint/scopes.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import { type NewEvent, queueEvent } from '../outbox/outbox-rows.ts';
import { type ConsentCondition, consentFor } from './consent-condition.ts';
import { noteIssuer, takeIssuers } from './consent-issuers.ts';
import {
  ask,
  type ConsentRequest,
  dropRequests,
  findOpenRequest,
  type OpenRequest,
} from './consent-requests.ts';
import { dropTokens } from './sign-in-tokens.ts';
import { isWithdrawn, undoWithdrawal, withdraw } from './withdrawals.ts';

/** What a user has agreed to: to be identified to an audience. */
export interface Consent {
  readonly audience: string;
  readonly scopes: Scopes;
  /** In milliseconds; since then more may have been added. */
  readonly grantedAt: number;
}

interface MintInput extends Pick<MintFacts, 'requested' | 'offered' | 'autoApproved' | 'authTime'> {
  readonly email: string;
  /** The provider's issuer. */
  readonly issuer: string;
  readonly audience: string;
  readonly resource: string | undefined;
  /** The id of the consent request, should a new one be needed. */
  readonly freshId: string;
}

/** What a mint is decided by. */
interface MintRules {
  readonly config: Pick<ProviderConfig, 'lifetimes'>;
  readonly decisions: {
    readonly consentFor: typeof consentFor;
    readonly mint: typeof decideMint;
  };
}

export interface Revoking extends Pick<NewEvent, 'actor' | 'audience' | 'email'> {
  /** This provider's. */
  readonly issuer: string;
  /** The rest of an event for an issuer. */
  readonly newEvent: (issuer: string) => Pick<NewEvent, 'id' | 'subject'>;
}

export type Minting =
  | Exclude<MintDecision, { readonly kind: 'ask' | 'mint' }>
  /** `decidedAt` in milliseconds, in one order with revocations. */
  | { readonly kind: 'mint'; readonly scopes: Scopes; readonly decidedAt: number }
  | { readonly kind: 'ask'; readonly requestId: string };

/** Consents and consent requests; each method is one atomic change. */
export class ConsentStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #expired: ExpiredRows;

  constructor(db: Database, clock: Clock, expired: ExpiredRows) {
    this.#db = db;
    this.#clock = clock;
    this.#expired = expired;
  }

  /** Decides about an ID-JAG and stores what follows: a consent, a consent request, or that a refusal was answered. */
  async mint(input: MintInput, { config: { lifetimes }, decisions }: MintRules): Promise<Minting> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const { email, audience } = input;
      const requestRow = await tx.get(
        'SELECT * FROM consent_requests WHERE email = ? AND audience = ? AND expires_at > ?',
        [email, audience, now],
      );
      const denied = column.optionalNumber(requestRow?.['denied_at']) !== undefined;
      const consent = await findConsent(tx, decisions.consentFor(input));
      const autoApproved = input.autoApproved && !(await isWithdrawn(tx, email, audience));
      const facts = { consent, denied, ...input, autoApproved };
      const decision = decisions.mint(facts, now, lifetimes.maxAuthAge);
      if (decision.kind === 'mint') {
        if (decision.consentTo) {
          const granted = { email, audience, scopes: decision.consentTo.scopes };
          await grantConsent(tx, granted, 'control', now);
        }
        await noteIssuer(tx, input);
        await auditMint(tx, input, decision.scopes, now);
        return { kind: 'mint', scopes: decision.scopes, decidedAt: now };
      }
      // A refusal is answered once; after it the user may be asked again.
      if (decision.kind === 'refused' && decision.code === 'access_denied') {
        await dropRequests(tx, input);
      }
      if (decision.kind !== 'ask') return decision;
      const question = { ...input, id: input.freshId, scopes: decision.scopes };
      const requestId = await ask(tx, requestRow, question, now + lifetimes.consentRequest);
      await this.#expired.remove(tx, now);
      return { kind: 'ask', requestId };
    });
  }

  /** A consent request that has not expired. */
  async find(id: string): Promise<OpenRequest | undefined> {
    return this.#db.read((reader) => findOpenRequest(reader, id, this.#clock.now()));
  }

  /** `false`: the consent request is unknown, expired, replaced, another user's, or was answered the other way. */
  async decide(id: string, email: string, decision: UserDecision): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const request = await findOpenRequest(tx, id, now);
      if (request === undefined || request.email !== email) return false;
      const answered = await tx.get(
        'SELECT approved_at, denied_at FROM consent_requests WHERE id = ?',
        [id],
      );
      const approved = column.optionalNumber(answered?.['approved_at']) !== undefined;
      const denied = column.optionalNumber(answered?.['denied_at']) !== undefined;
      if (decision === 'deny') {
        if (!denied && !approved) await denyConsent(tx, request, now);
        return !approved;
      }
      if (!approved && !denied) {
        await tx.run('UPDATE consent_requests SET approved_at = ? WHERE id = ?', [now, id]);
        await grantConsent(tx, request, userActor(email), now);
      }
      return !denied;
    });
  }

  /** What a user has agreed to, by audience. */
  async listOf(email: string): Promise<readonly Consent[]> {
    const rows = await this.#db.read((reader) =>
      reader.all('SELECT * FROM consents WHERE email = ? ORDER BY audience', [email]),
    );
    return rows.map(toConsent);
  }

  /**
   * Takes a consent back, with the question about more of it, and queues the events that tell the
   * audience: one for each issuer that named the user to it. Empty: there is no such consent.
   */
  async revoke({
    actor,
    audience,
    email,
    issuer,
    newEvent,
  }: Revoking): Promise<readonly OutboxEntry[]> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const removed = await tx.run('DELETE FROM consents WHERE email = ? AND audience = ?', [
        email,
        audience,
      ]);
      if (removed === 0) return [];
      await dropRequests(tx, { email, audience });
      await dropTokens(tx, email, audience);
      await withdraw(tx, email, audience);
      const detail = { user: maskEmail(email), audience };
      await recordAudit(tx, {
        owner: 'provider',
        at: now,
        actor,
        action: 'consent.revoked',
        detail,
      });
      const queued: OutboxEntry[] = [];
      for (const each of await takeIssuers(tx, email, audience, issuer)) {
        const event = { ...newEvent(each), issuer: each, email, audience, actor };
        queued.push(await queueEvent(tx, event, issuer, now));
      }
      return queued;
    });
  }
}

/** Records what a user agreed to, beside what was agreed to before. */
export async function grantConsent(
  tx: Transaction,
  { email, audience, scopes }: Pick<ConsentRequest, 'email' | 'audience' | 'scopes'>,
  actor: Actor,
  now: number,
): Promise<void> {
  const before = await findConsent(tx, consentFor({ email, audience }));
  const all = before ? union(before.scopes, scopes) : scopes;
  await tx.run(
    `INSERT INTO consents (email, audience, scopes, granted_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (email, audience) DO UPDATE SET scopes = excluded.scopes`,
    [email, audience, all?.join(' ') ?? null, now],
  );
  await undoWithdrawal(tx, email, audience);
  const detail = { user: maskEmail(email), audience, ...(all && { scope: all.join(' ') }) };
  await recordAudit(tx, { owner: 'provider', at: now, actor, action: 'consent.granted', detail });
}

async function denyConsent(
  tx: Transaction,
  { audience, email, id }: ConsentRequest,
  now: number,
): Promise<void> {
  await tx.run('UPDATE consent_requests SET denied_at = ? WHERE id = ?', [now, id]);
  const actor = userActor(email);
  const detail = { audience };
  await recordAudit(tx, { owner: 'provider', at: now, actor, action: 'consent.denied', detail });
}

async function auditMint(
  tx: Transaction,
  { audience, email }: MintInput,
  scopes: Scopes,
  at: number,
): Promise<void> {
  const detail = {
    user: maskEmail(email),
    audience,
    ...(scopes !== undefined && { scope: scopes.join(' ') }),
  };
  await recordAudit(tx, {
    owner: 'provider',
    at,
    actor: 'agent',
    action: 'id_jag.minted',
    detail,
  });
}

async function findConsent(
  tx: Transaction,
  { values, where }: ConsentCondition,
): Promise<Consent | undefined> {
  const row = await tx.get(`SELECT * FROM consents WHERE ${where}`, values);
  return row && toConsent(row);
}

function toConsent(row: Row): Consent {
  return {
    audience: column.text(row['audience']),
    scopes: column.optionalList(row['scopes']),
    grantedAt: column.number(row['granted_at']),
  };
}
