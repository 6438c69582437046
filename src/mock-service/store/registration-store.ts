import type { Actor } from '../../mock/audit/audit.ts';
import type { Database, Reader, Row, Transaction } from '../../mock/store/database.ts';
import type { ExpiredRows } from '../../mock/store/expired-rows.ts';
import type { Decision, EventInputs, EventName } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { type Deciding, decisionContext } from '../claim-machine/machine.ts';
import { decide } from '../claim-machine/matrix.ts';
import { applyEffects, EFFECT_WRITERS } from './apply-effects.ts';
import { audit, type Cause } from './audit.ts';
import { EXPIRED_RETENTION } from './retention.ts';
import {
  REGISTRATION_COLUMNS as COLUMNS,
  type StoredRegistration,
  toRegistration,
} from './rows.ts';

/** By what a registration is found; secrets by their hash. */
type Selector =
  | { readonly by: 'id'; readonly value: string }
  | { readonly by: 'claim_token_hash'; readonly value: string }
  | { readonly by: 'attempt_token_hash'; readonly value: string }
  | { readonly by: 'refresh_token_hash'; readonly value: string };

export interface Decided {
  /** As they were before the decision. */
  readonly facts: RegistrationFacts;
  readonly outcome: Decision['outcome'];
}

/** A registration to be created, its secrets already reduced to hashes. */
export interface NewRegistration {
  readonly id: string;
  readonly type: RegistrationFacts['type'];
  readonly needsClaim: boolean;
  readonly agentName?: string | undefined;
  readonly windowEndsAt: number;
  readonly claimTokenHash: string | undefined;
  readonly email: string | undefined;
  readonly userId: string | undefined;
  readonly preClaimScopes: readonly string[];
  readonly postClaimScopes: readonly string[];
  readonly resource?: string | undefined;
  readonly issuer?: string;
  readonly tenant?: string;
  readonly subject?: string;
  readonly idJagIssuedAt?: number;
}

/** What the input of an event may look up in the transaction of its decision. */
type InputFor<E extends EventName> = (
  facts: RegistrationFacts,
  tx: Transaction,
) => EventInputs[E] | Promise<EventInputs[E]>;

/** What decides, and how its effects are written, as the mock is wired now. */
interface Wired extends Deciding {
  readonly registrations: Pick<RegistrationStore, 'effectWriters'>;
}

/** The outcomes with which something is stored that expires. */
const ISSUING: ReadonlySet<string> = new Set(['token', 'redeemed', 'refreshed']);

export class RegistrationStore {
  /** How the effects of a decision are written. */
  readonly effectWriters = EFFECT_WRITERS;
  /** What is forgotten. */
  readonly expired: ExpiredRows;
  readonly #db: Database;
  readonly #wired: () => Wired;

  constructor(db: Database, wired: () => Wired, expired: ExpiredRows) {
    this.#db = db;
    this.#wired = wired;
    this.expired = expired;
  }

  /**
   * One atomic change: loads the facts, decides, applies the effects. `undefined` when nothing is found; then
   * nothing is decided either.
   */
  async decide<E extends EventName>(
    event: E,
    selector: Selector,
    actor: Actor,
    input: InputFor<E>,
  ): Promise<Decided | undefined> {
    return this.#db.transaction(async (tx) => {
      const registration = await findRegistration(tx, selector);
      if (registration === undefined) return undefined;
      return this.decideWithin(tx, event, registration, actor, await input(registration.facts, tx));
    });
  }

  /** The same within a given transaction. @param context as of its beginning. Default: as of now. */
  async decideWithin<E extends EventName>(
    tx: Transaction,
    event: E,
    registration: StoredRegistration,
    actor: Actor,
    input: EventInputs[E],
    context = decisionContext(this.#wired()),
  ): Promise<Decided> {
    const { facts } = registration;
    const { effectWriters } = this.#wired().registrations;
    const { outcome, effects } = decide(event, facts, input, context);
    await applyEffects(tx, effectWriters, registration, effects, { actor, at: context.now });
    if (ISSUING.has(outcome.kind)) await this.expired.remove(tx, context.now);
    return { facts, outcome };
  }

  async find(selector: Selector): Promise<StoredRegistration | undefined> {
    return this.#db.read((reader) => findRegistration(reader, selector));
  }

  /** The latest ones, newest first. */
  async latest(limit: number): Promise<readonly StoredRegistration[]> {
    const rows = await this.#db.read((reader) =>
      reader.all(`SELECT ${COLUMNS} FROM registrations ORDER BY created_at DESC, id LIMIT ?`, [
        limit,
      ]),
    );
    return rows.map(toRegistration);
  }

  /** The claimed registrations of a user that are not revoked, newest first. */
  async listOf(userId: string): Promise<readonly StoredRegistration[]> {
    return this.#db.read(async (reader) => {
      const rows = await reader.all(
        `SELECT ${COLUMNS} FROM registrations WHERE user_id = ? AND revoked_at IS NULL
         ORDER BY created_at DESC, id`,
        [userId],
      );
      return rows.map(toRegistration);
    });
  }
}

const SELECT_BY: Readonly<Record<Selector['by'], string>> = {
  id: `SELECT ${COLUMNS} FROM registrations WHERE id = ?`,
  claim_token_hash: `SELECT ${COLUMNS} FROM registrations WHERE claim_token_hash = ?`,
  attempt_token_hash: `SELECT ${COLUMNS} FROM registrations WHERE attempt_token_hash = ?`,
  refresh_token_hash: `SELECT ${COLUMNS} FROM registrations WHERE id = (SELECT registration_id FROM refresh_tokens WHERE hash = ?)`,
};

export async function findRegistration(
  reader: Reader,
  { by, value }: Selector,
): Promise<StoredRegistration | undefined> {
  const row: Row | undefined = await reader.get(SELECT_BY[by], [value]);
  return row && toRegistration(row);
}

/**
 * Stores a registration and returns it as it is read from now on: to read it takes longer than to store it.
 */
export async function insertRegistration(
  tx: Transaction,
  cause: Cause,
  registration: NewRegistration,
): Promise<StoredRegistration> {
  await tx.run(
    `INSERT INTO registrations (id, type, needs_claim, created_at, window_ends_at, purge_at,
       claim_token_hash, email, user_id, version, pre_claim_scopes, post_claim_scopes, resource,
       wrong_codes, issuer, tenant, subject, id_jag_issued_at, agent_name)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, 0, ?, ?, ?, ?, ?)`,
    [
      registration.id,
      registration.type,
      registration.needsClaim ? 1 : 0,
      cause.at,
      registration.windowEndsAt,
      registration.needsClaim ? registration.windowEndsAt + EXPIRED_RETENTION : null,
      registration.claimTokenHash ?? null,
      registration.email ?? null,
      registration.userId ?? null,
      registration.preClaimScopes.join(' '),
      registration.postClaimScopes.join(' '),
      registration.resource ?? null,
      registration.issuer ?? null,
      registration.tenant ?? null,
      registration.subject ?? null,
      registration.idJagIssuedAt ?? null,
      registration.agentName ?? null,
    ],
  );
  await audit(tx, cause, 'registration.created', registration.id, { type: registration.type });
  return freshRegistration(registration, cause.at);
}

function freshRegistration(registration: NewRegistration, createdAt: number): StoredRegistration {
  const { agentName, idJagIssuedAt, issuer, subject } = registration;
  return {
    facts: {
      id: registration.id,
      type: registration.type,
      needsClaim: registration.needsClaim,
      windowEndsAt: registration.windowEndsAt,
      claimedAt: undefined,
      revokedAt: undefined,
      email: registration.email,
      userId: registration.userId,
      version: 1,
      preClaimScopes: registration.preClaimScopes,
      postClaimScopes: registration.postClaimScopes,
      resource: registration.resource,
      wrongCodes: 0,
      attempt: undefined,
      delivery: undefined,
    },
    createdAt,
    agentName,
    issuer,
    subject,
    idJagIssuedAt,
  };
}

/** Whether there are so many unclaimed registrations, or more. */
export async function areUnclaimed(tx: Transaction, now: number, count: number): Promise<boolean> {
  const last = await tx.get(
    `SELECT id FROM registrations WHERE purge_at > ? AND revoked_at IS NULL
     ORDER BY purge_at LIMIT 1 OFFSET ?`,
    [now + EXPIRED_RETENTION, count - 1],
  );
  return last !== undefined;
}
