import { type Actor, type AuditEntry, recordAudit, userActor } from '../../mock/audit/audit.ts';
import { AtomicStore } from '../../mock/store/atomic-store.ts';
import { column, type Row, type Transaction } from '../../mock/store/database.ts';
import { maskEmail } from '../../protocol/email.ts';
import type { UserDecision } from '../checks/user-decision.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { decideMint, MintDecision, MintFacts } from '../mint/decide-mint.ts';
import { type Scopes, union } from '../mint/scopes.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import { type NewEvent, queueEvent } from '../outbox/outbox-rows.ts';
import type { User, UserStore } from '../users/user-store.ts';
import {
  type AskedConsent,
  ask,
  type ConsentCondition,
  type ConsentKey,
  type ConsentRequest,
  clientOf,
  consentFor,
  dropRequests,
  findRequests,
} from './consent-requests.ts';

/** What a user has agreed to: to be identified to an audience. */
export interface Consent {
  readonly audience: string;
  /** The client by which the user is identified. `undefined`: the agent. */
  readonly client: string | undefined;
  readonly scopes: Scopes;
  /** When it was granted, in milliseconds; since then more may have been added. */
  readonly grantedAt: number;
  /**
   * The issuers as whom the provider has named its user by it: a subject is of one issuer alone, and the provider may
   * have had another URL then.
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
  /** Makes the id of a consent request, should a new one be needed. */
  readonly freshId: () => string;
}

/** What a mint is decided by. */
interface MintRules {
  readonly config: Pick<ProviderConfig, 'lifetimes'>;
  readonly decisions: {
    readonly consentFor: typeof consentFor;
    readonly mint: typeof decideMint;
  };
  readonly users: UserStore;
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
  | {
      readonly kind: 'mint';
      readonly scopes: Scopes;
      readonly decidedAt: number;
      readonly user: User;
    }
  | { readonly kind: 'ask'; readonly requestId: string };

/** Consents and consent requests. */
export class ConsentStore extends AtomicStore {
  /** Decides about an ID-JAG and stores what follows: a consent, a consent request, or that a refusal was answered. */
  mint(input: MintInput, { config, decisions, users }: MintRules): Promise<Minting> {
    const { lifetimes } = config;
    return this.change(async (tx, now) => {
      const { audience, client, email } = input;
      const user = await users.findWithin(tx, email);
      if (user === undefined) return { kind: 'refused', code: 'invalid_grant' };
      const consent = await findConsent(tx, decisions.consentFor(input));
      const autoApproved =
        input.autoApproved && (consent !== undefined || !(await isWithdrawn(tx, input)));
      const decide = (denied: boolean) =>
        decisions.mint({ ...input, consent, denied, autoApproved }, now, lifetimes.maxAuthAge);
      const unasked = decide(false);
      // What its user was asked before matters only to what would ask.
      const [request] =
        unasked.kind === 'mint' ? [] : await findRequests(tx, consentFor(input), now);
      const decision = request?.state === 'denied' ? decide(true) : unasked;
      if (decision.kind === 'mint') {
        const { consentTo, scopes } = decision;
        if (consentTo) {
          const granted = { email, audience, client, scopes: consentTo.scopes };
          await grantConsent(tx, granted, 'control', now);
        }
        await noteIssuer(tx, input, consent?.issuers ?? []);
        await auditConsent(tx, 'id_jag.minted', 'agent', { ...input, scopes }, now);
        return { kind: 'mint', scopes, decidedAt: now, user };
      }
      // A refusal is answered once; after it the user may be asked again.
      if (decision.kind === 'refused' && decision.code === 'access_denied') {
        await dropRequests(tx, input);
      }
      if (decision.kind !== 'ask') return decision;
      const question = { ...input, id: input.freshId(), scopes: decision.scopes };
      const requestId = await ask(tx, request, question, now + lifetimes.consentRequest);
      return { kind: 'ask', requestId };
    });
  }

  /** A consent request that has not expired. */
  async find(id: string): Promise<AskedConsent | undefined> {
    const [request] = await this.read((reader, now) => findRequests(reader, withId(id), now));
    return request;
  }

  /** `false`: the consent request is unknown, expired, replaced, another user's, or was answered the other way. */
  decide(
    id: string,
    email: string,
    decision: UserDecision,
    actor: Actor = userActor(email),
  ): Promise<boolean> {
    return this.change(async (tx, now) => {
      const [request] = await findRequests(tx, withId(id), now);
      if (request === undefined || request.email !== email) return false;
      if (decision === 'deny') {
        if (request.state === 'open') await denyConsent(tx, request, actor, now);
        return request.state !== 'approved';
      }
      if (request.state === 'open') {
        await tx.run('UPDATE consent_requests SET approved_at = ? WHERE id = ?', [now, id]);
        await grantConsent(tx, request, actor, now);
      }
      return request.state !== 'denied';
    });
  }

  /** The consent requests that have not expired, and what was decided about them. */
  listRequests(): Promise<readonly AskedConsent[]> {
    return this.read((reader, now) => findRequests(reader, { where: '1 = 1', values: [] }, now));
  }

  /** Ends an open consent request now. `false`: there is none. */
  expire(id: string): Promise<boolean> {
    return this.change(async (tx, now) => {
      const [request] = await findRequests(tx, withId(id), now);
      if (request?.state !== 'open') return false;
      await tx.run('UPDATE consent_requests SET expires_at = ? WHERE id = ?', [now, id]);
      const detail = { audience: request.audience };
      const entry = { owner: 'provider', at: now, actor: 'control', detail } as const;
      await recordAudit(tx, { ...entry, action: 'consent.expired' });
      return true;
    });
  }

  /** What a user has agreed to, by audience. */
  listOf(email: string): Promise<readonly Consent[]> {
    const sql =
      'SELECT * FROM consents WHERE email = ? AND withdrawn_at IS NULL ORDER BY audience, client';
    return this.read(async (reader) => (await reader.all(sql, [email])).map(toConsent));
  }

  /**
   * Takes a consent back, with the question about more of it, and queues the events that tell the
   * audience: one for each issuer that named the user to it. Empty: there is no such consent.
   */
  revoke(revoking: Revoking): Promise<readonly OutboxEntry[]> {
    const { actor, audience, client, email, issuer, newEvent } = revoking;
    return this.change(async (tx, now) => {
      const whose = { audience, client, email };
      const { values, where } = consentFor(whose);
      const consent = await findConsent(tx, { values, where });
      if (consent === undefined) return [];
      await tx.run(
        `UPDATE consents SET scopes = NULL, issuers = '', withdrawn_at = ? WHERE ${where}`,
        [now, ...values],
      );
      await dropRequests(tx, whose);
      await auditConsent(tx, 'consent.revoked', actor, { email, audience, scopes: undefined }, now);
      // An event names the user alone: it would end what the agent and other clients have. Its tokens run out.
      if (client !== undefined) return [];
      // The tokens of sign-ins that gave this consent.
      const ofUser = [email, audience];
      await tx.run('DELETE FROM sign_in_tokens WHERE email = ? AND audience = ?', ofUser);
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

function withId(id: string): ConsentCondition {
  return { where: 'id = ?', values: [id] };
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
export async function isWithdrawn(tx: Transaction, key: ConsentKey): Promise<boolean> {
  const { values, where } = consentFor(key);
  const sql = `SELECT email FROM consents WHERE ${where} AND withdrawn_at IS NOT NULL`;
  return (await tx.get(sql, values)) !== undefined;
}

async function noteIssuer(
  tx: Transaction,
  input: MintInput,
  noted: readonly string[],
): Promise<void> {
  const { issuer } = input;
  if (noted.includes(issuer)) return;
  const { values, where } = consentFor(input);
  const issuers = [...noted, issuer].join(' ');
  await tx.run(`UPDATE consents SET issuers = ? WHERE ${where}`, [issuers, ...values]);
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
