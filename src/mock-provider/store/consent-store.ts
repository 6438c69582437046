import { type Actor, type AuditEntry, recordAudit, userActor } from '../../mock/audit/audit.ts';
import { column } from '../../mock/store/column.ts';
import type { Database, Row, Transaction } from '../../mock/store/database.ts';
import type { ExpiredRows } from '../../mock/store/expired-rows.ts';
import { maskEmail } from '../../protocol/email.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { UserDecision } from '../checks/user-decision.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { decideMint, MintDecision, MintFacts } from '../mint/decide-mint.ts';
import { type Scopes, union } from '../mint/scopes.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import { type NewEvent, queueEvent } from '../outbox/outbox-rows.ts';
import { type ConsentCondition, consentFor } from './consent-condition.ts';
import {
  type AskedConsent,
  ask,
  type ConsentKey,
  type ConsentRequest,
  clientOf,
  dropRequests,
  findOpenRequest,
  type OpenRequest,
  toAsked,
} from './consent-requests.ts';
import { dropTokens } from './sign-in-tokens.ts';

/** What a user has agreed to: to be identified to an audience. */
export interface Consent {
  readonly audience: string;
  /** By which client the user is identified. `undefined`: the agent. */
  readonly client: string | undefined;
  readonly scopes: Scopes;
  /** In milliseconds; since then more may have been added. */
  readonly grantedAt: number;
  /**
   * As whom the provider has named its user by it: a subject is of one issuer alone, and the provider may have had
   * another URL then.
   */
  readonly issuers: readonly string[];
}

interface MintInput extends Pick<MintFacts, 'requested' | 'offered' | 'autoApproved' | 'authTime'> {
  readonly email: string;
  /** The provider's issuer. */
  readonly issuer: string;
  readonly audience: string;
  /** The client that asks. `undefined`: the agent. */
  readonly client: string | undefined;
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
  /** Whose consent it is. `undefined`: the agent's. */
  readonly client?: string | undefined;
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
      const { audience, client, email } = input;
      const requestRow = await tx.get(
        `SELECT * FROM consent_requests
         WHERE email = ? AND audience = ? AND client = ? AND expires_at > ?`,
        [email, audience, client ?? '', now],
      );
      const denied = column.optionalNumber(requestRow?.['denied_at']) !== undefined;
      const consent = await findConsent(tx, decisions.consentFor(input));
      const autoApproved = input.autoApproved && !(await isWithdrawn(tx, input));
      const facts = { consent, denied, ...input, autoApproved };
      const decision = decisions.mint(facts, now, lifetimes.maxAuthAge);
      if (decision.kind === 'mint') {
        if (decision.consentTo) {
          const granted = { email, audience, client, scopes: decision.consentTo.scopes };
          await grantConsent(tx, granted, 'control', now);
        }
        await noteIssuer(tx, input, consent?.issuers ?? []);
        await auditConsent(
          tx,
          'id_jag.minted',
          'agent',
          { ...input, scopes: decision.scopes },
          now,
        );
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
  async decide(
    id: string,
    email: string,
    decision: UserDecision,
    actor: Actor = userActor(email),
  ): Promise<boolean> {
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
        if (!denied && !approved) await denyConsent(tx, request, actor, now);
        return !approved;
      }
      if (!approved && !denied) {
        await tx.run('UPDATE consent_requests SET approved_at = ? WHERE id = ?', [now, id]);
        await grantConsent(tx, request, actor, now);
      }
      return !denied;
    });
  }

  /** The consent requests that have not expired, and what was decided about them. */
  async listRequests(): Promise<readonly AskedConsent[]> {
    const rows = await this.#db.read((reader) =>
      reader.all('SELECT * FROM consent_requests WHERE expires_at > ? ORDER BY expires_at, id', [
        this.#clock.now(),
      ]),
    );
    return rows.map(toAsked);
  }

  /** Ends an open consent request now. `false`: there is none. */
  async expire(id: string): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const request = await findOpenRequest(tx, id, now);
      const changed = await tx.run(
        `UPDATE consent_requests SET expires_at = ?
         WHERE id = ? AND approved_at IS NULL AND denied_at IS NULL`,
        [now, id],
      );
      if (request === undefined || changed === 0) return false;
      const detail = { audience: request.audience };
      const entry = { owner: 'provider', at: now, actor: 'control', detail } as const;
      await recordAudit(tx, { ...entry, action: 'consent.expired' });
      return true;
    });
  }

  /** What a user has agreed to, by audience. */
  async listOf(email: string): Promise<readonly Consent[]> {
    const rows = await this.#db.read((reader) =>
      reader.all(
        'SELECT * FROM consents WHERE email = ? AND withdrawn_at IS NULL ORDER BY audience, client',
        [email],
      ),
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
    client,
    email,
    issuer,
    newEvent,
  }: Revoking): Promise<readonly OutboxEntry[]> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const whose = { audience, client, email };
      const consent = await findConsent(tx, consentFor(whose));
      if (consent === undefined) return [];
      await tx.run(
        `UPDATE consents SET scopes = NULL, issuers = '', withdrawn_at = ?
         WHERE email = ? AND audience = ? AND client = ?`,
        [now, email, audience, client ?? ''],
      );
      await dropRequests(tx, whose);
      if (client === undefined) await dropTokens(tx, email, audience);
      await auditConsent(tx, 'consent.revoked', actor, { email, audience, scopes: undefined }, now);
      // An event names the user alone: it would end what the agent and other clients have. Its tokens run out.
      if (client !== undefined) return [];
      const queued: OutboxEntry[] = [];
      // One that was not used yet has named its user to nobody.
      const issuers = consent.issuers.length === 0 ? [issuer] : consent.issuers.toSorted();
      for (const each of issuers) {
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
  { audience, client, email, scopes }: ConsentKey & Pick<ConsentRequest, 'scopes'>,
  actor: Actor,
  now: number,
): Promise<void> {
  const before = await findConsent(tx, consentFor({ audience, client, email }));
  const all = before ? union(before.scopes, scopes) : scopes;
  await tx.run(
    `INSERT INTO consents (email, audience, client, scopes, granted_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (email, audience, client) DO UPDATE SET scopes = excluded.scopes, granted_at = CASE
       WHEN consents.withdrawn_at IS NULL THEN consents.granted_at ELSE excluded.granted_at END,
       withdrawn_at = NULL`,
    [email, audience, client ?? '', all?.join(' ') ?? null, now],
  );
  await auditConsent(tx, 'consent.granted', actor, { email, audience, scopes: all }, now);
}

/** Whether the user took the consent back, and has not agreed again: it is given on a page alone then. */
export async function isWithdrawn(
  tx: Transaction,
  { audience, client, email }: ConsentKey,
): Promise<boolean> {
  const row = await tx.get(
    `SELECT email FROM consents
     WHERE email = ? AND audience = ? AND client = ? AND withdrawn_at IS NOT NULL`,
    [email, audience, client ?? ''],
  );
  return row !== undefined;
}

async function noteIssuer(
  tx: Transaction,
  { audience, client, email, issuer }: MintInput,
  noted: readonly string[],
): Promise<void> {
  if (noted.includes(issuer)) return;
  await tx.run('UPDATE consents SET issuers = ? WHERE email = ? AND audience = ? AND client = ?', [
    [...noted, issuer].join(' '),
    email,
    audience,
    client ?? '',
  ]);
}

async function denyConsent(
  tx: Transaction,
  { audience, id }: ConsentRequest,
  actor: Actor,
  now: number,
): Promise<void> {
  await tx.run('UPDATE consent_requests SET denied_at = ? WHERE id = ?', [now, id]);
  const detail = { audience };
  await recordAudit(tx, { owner: 'provider', at: now, actor, action: 'consent.denied', detail });
}

async function auditConsent(
  tx: Transaction,
  action: AuditEntry['action'],
  actor: Actor,
  { audience, email, scopes }: Pick<ConsentRequest, 'audience' | 'email' | 'scopes'>,
  at: number,
): Promise<void> {
  const detail = { user: maskEmail(email), audience, ...(scopes && { scope: scopes.join(' ') }) };
  await recordAudit(tx, { owner: 'provider', at, actor, action, detail });
}

async function findConsent(
  tx: Transaction,
  { values, where }: ConsentCondition,
): Promise<Consent | undefined> {
  const sql = `SELECT * FROM consents WHERE ${where} AND withdrawn_at IS NULL`;
  const row = await tx.get(sql, values);
  return row && toConsent(row);
}

function toConsent(row: Row): Consent {
  return {
    audience: column.text(row['audience']),
    client: clientOf(row),
    scopes: column.optionalList(row['scopes']),
    grantedAt: column.number(row['granted_at']),
    issuers: column.list(row['issuers']),
  };
}
