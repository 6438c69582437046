import type { Actor } from '../../mock/audit/audit.ts';
import { AtomicStore, type ExpiredRows } from '../../mock/store/atomic-store.ts';
import { column, type Database, type Reader, type Transaction } from '../../mock/store/database.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { NewAttempt } from '../claim-machine/effects.ts';
import type { Decision, EventInputs, EventName } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { type Deciding, type DecisionContext, decisionContext } from '../claim-machine/machine.ts';
import { decide } from '../claim-machine/matrix.ts';
import { applyEffects, EFFECT_WRITERS } from './apply-effects.ts';
import { audit, type Cause } from './audit.ts';
import type { Gate } from './rate-limit.ts';
import { EXPIRED_RETENTION } from './retention.ts';
import { findRegistrations, insertRow, type StoredRegistration } from './stored-registration.ts';

/** What a registration is found by; secrets by their hash. */
export interface Selector {
  readonly by: keyof typeof FOUND_BY;
  readonly value: string;
}

export interface Decided {
  /** The facts as they were before the decision. */
  readonly facts: RegistrationFacts;
  readonly outcome: Decision['outcome'];
}

/** A registration to be created, its secrets already reduced to hashes. */
export interface NewRegistration
  extends Omit<
      RegistrationFacts,
      'attempt' | 'claimedAt' | 'delivery' | 'resource' | 'revokedAt' | 'version' | 'wrongCodes'
    >,
    Partial<
      Pick<StoredRegistration, 'agentName' | 'idJagIssuedAt' | 'issuer' | 'subject' | 'tenant'>
    > {
  readonly claimTokenHash: string | undefined;
  readonly resource?: string | undefined;
}

/** A registration that is still to be claimed. */
type Enrolled = Omit<NewRegistration, 'needsClaim' | 'userId' | 'windowEndsAt'>;

export interface OpenedAttempt {
  readonly expiresAt: number;
  readonly interval: number;
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

export class RegistrationStore extends AtomicStore {
  /** How the effects of a decision are written. */
  readonly effectWriters = EFFECT_WRITERS;
  readonly #wired: () => Wired;

  constructor(db: Database, clock: Clock, expired: ExpiredRows, wired: () => Wired) {
    super(db, clock, expired);
    this.#wired = wired;
  }

  /** Stores a registration that is still to be claimed. */
  async enroll(registration: Enrolled, gate: Gate | undefined): Promise<RegistrationFacts> {
    return this.change(
      async (tx) => (await enrollWithin(tx, registration, gate, this.#context())).facts,
    );
  }

  /** The same, with the attempt that it comes with. */
  async enrollPending(
    registration: Enrolled,
    attempt: NewAttempt,
    gate: Gate | undefined,
  ): Promise<{ readonly facts: RegistrationFacts; readonly opened: OpenedAttempt }> {
    return this.change(async (tx) => {
      const context = this.#context();
      const stored = await enrollWithin(tx, registration, gate, context);
      const opened = await this.openAttempt(tx, stored, attempt, 'agent', context);
      return { facts: stored.facts, opened };
    });
  }

  /** Opens the attempt that a new registration, or a repeated ID-JAG, comes with. */
  async openAttempt(
    tx: Transaction,
    registration: StoredRegistration,
    attempt: NewAttempt,
    actor: Actor,
    context: DecisionContext,
  ): Promise<OpenedAttempt> {
    const input = { email: registration.facts.email, attempt };
    const { outcome } = await this.decideWithin(tx, 'start', registration, actor, input, context);
    if (outcome.kind !== 'attempt_opened') {
      throw new Error(`A registration that was just made refused its attempt: ${outcome.kind}`);
    }
    return { expiresAt: outcome.expiresAt, interval: outcome.interval };
  }

  /**
   * Makes one atomic change: loads the facts, decides, applies the effects. `undefined` when nothing is found; then
   * nothing is decided either.
   */
  async decide<E extends EventName>(
    event: E,
    selector: Selector,
    actor: Actor,
    input: InputFor<E>,
  ): Promise<Decided | undefined> {
    return this.change(async (tx) => {
      const registration = await findRegistration(tx, selector);
      if (registration === undefined) return undefined;
      return this.decideWithin(tx, event, registration, actor, await input(registration.facts, tx));
    });
  }

  /** The same within a given transaction, whose steps have one context where they have one instant. */
  async decideWithin<E extends EventName>(
    tx: Transaction,
    event: E,
    registration: StoredRegistration,
    actor: Actor,
    input: EventInputs[E],
    context = this.#context(),
  ): Promise<Decided> {
    const { facts } = registration;
    const { outcome, effects } = decide(event, facts, input, context);
    const { effectWriters } = this.#wired().registrations;
    await applyEffects(tx, effectWriters, registration, effects, { actor, at: context.now });
    return { facts, outcome };
  }

  #context(): DecisionContext {
    return decisionContext(this.#wired());
  }

  async find(selector: Selector): Promise<StoredRegistration | undefined> {
    return this.read((reader) => findRegistration(reader, selector));
  }

  /** The latest ones, newest first. */
  async latest(limit: number): Promise<readonly StoredRegistration[]> {
    const newest = '1 = 1 ORDER BY created_at DESC, id LIMIT ?';
    return this.read((reader) => findRegistrations(reader, newest, [limit]));
  }

  /** The registrations that a user has, newest first. */
  async listOf(userId: string): Promise<readonly StoredRegistration[]> {
    const own = 'user_id = ? AND revoked_at IS NULL ORDER BY created_at DESC, id';
    return this.read((reader) => findRegistrations(reader, own, [userId]));
  }

  /** The issuers by which a user has, or had, registrations other than this one; one that is by none counts, too. */
  async issuersBeside(
    { id }: RegistrationFacts,
    userId: string,
  ): Promise<ReadonlySet<string | undefined>> {
    const others = 'SELECT DISTINCT issuer FROM registrations WHERE user_id = ? AND id <> ?';
    const rows = await this.read((reader) => reader.all(others, [userId, id]));
    return new Set(rows.map((row) => column.optionalText(row['issuer'])));
  }
}

/** Stores a registration that is still to be claimed. */
async function enrollWithin(
  tx: Transaction,
  registration: Enrolled,
  gate: Gate | undefined,
  { lifetimes, now }: DecisionContext,
): Promise<StoredRegistration> {
  await gate?.(tx, now);
  const cause = { actor: 'agent', at: now } as const;
  const windowEndsAt = now + lifetimes.claimWindow;
  const unclaimed = { needsClaim: true, userId: undefined, windowEndsAt };
  return insertRegistration(tx, cause, { ...unclaimed, ...registration });
}

const FOUND_BY = {
  id: 'id = ?',
  claim_token_hash: 'claim_token_hash = ?',
  attempt_token_hash: 'attempt_token_hash = ?',
  refresh_token_hash: 'id = (SELECT registration_id FROM refresh_tokens WHERE hash = ?)',
} as const;

async function findRegistration(
  reader: Reader,
  { by, value }: Selector,
): Promise<StoredRegistration | undefined> {
  return (await findRegistrations(reader, FOUND_BY[by], [value]))[0];
}

/** Stores a registration and returns it as it is read from now on. */
export async function insertRegistration(
  tx: Transaction,
  cause: Cause,
  { agentName, claimTokenHash, idJagIssuedAt, issuer, subject, tenant, ...facts }: NewRegistration,
): Promise<StoredRegistration> {
  const registration: StoredRegistration = {
    facts: {
      resource: undefined,
      ...facts,
      claimedAt: undefined,
      revokedAt: undefined,
      version: 1,
      wrongCodes: 0,
      attempt: undefined,
      delivery: undefined,
    },
    createdAt: cause.at,
    purgeAt: facts.needsClaim ? facts.windowEndsAt + EXPIRED_RETENTION : undefined,
    agentName,
    claimTokenHash,
    attemptTokenHash: undefined,
    deliveredTokenHash: undefined,
    issuer,
    tenant,
    subject,
    idJagIssuedAt,
  };
  await insertRow(tx, registration);
  await audit(tx, cause, 'registration.created', facts.id, { type: facts.type });
  return registration;
}
