import type { Actor } from '../../mock/audit/audit.ts';
import type { Database, Transaction } from '../../mock/store/database.ts';
import type { NewAttempt } from '../claim-machine/effects.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { type Deciding, type DecisionContext, decisionContext } from '../claim-machine/machine.ts';
import type { Gate } from './rate-limit.ts';
import {
  insertRegistration,
  type NewRegistration,
  type RegistrationStore,
} from './registration-store.ts';
import type { StoredRegistration } from './rows.ts';

interface Enrolling extends Deciding {
  readonly db: Database;
  readonly registrations: RegistrationStore;
}

/** A registration that is still to be claimed. */
type Enrolled = Omit<NewRegistration, 'needsClaim' | 'userId' | 'windowEndsAt'>;

/** Stores a registration that is still to be claimed: anonymous without, service_auth with an attempt. */
export async function enroll(
  service: Enrolling,
  registration: Enrolled,
  beside: { readonly attempt: NewAttempt; readonly gate: Gate | undefined },
): Promise<{ readonly facts: RegistrationFacts; readonly attempt: OpenedAttempt }>;
export async function enroll(
  service: Enrolling,
  registration: Enrolled,
  beside: { readonly gate: Gate | undefined },
): Promise<{ readonly facts: RegistrationFacts; readonly attempt: undefined }>;
export async function enroll(
  service: Enrolling,
  registration: Enrolled,
  { attempt, gate }: { readonly attempt?: NewAttempt; readonly gate: Gate | undefined },
): Promise<{ readonly facts: RegistrationFacts; readonly attempt: OpenedAttempt | undefined }> {
  const { db, registrations } = service;
  return db.transaction(async (tx) => {
    const context = decisionContext(service);
    const { now, lifetimes } = context;
    await gate?.(tx, now);
    const stored = await insertRegistration(
      tx,
      { actor: 'agent', at: now },
      {
        needsClaim: true,
        userId: undefined,
        windowEndsAt: now + lifetimes.claimWindow,
        ...registration,
      },
    );
    const opened =
      attempt && (await openAttemptFor(tx, registrations, stored, attempt, 'agent', context));
    await registrations.expired.remove(tx, now);
    return { facts: stored.facts, attempt: opened };
  });
}

export type { NewAttempt };

export interface OpenedAttempt {
  readonly expiresAt: number;
  readonly interval: number;
}

/** Opens the attempt that a new registration, or a repeated ID-JAG, comes with. */
export async function openAttemptFor(
  tx: Transaction,
  registrations: RegistrationStore,
  registration: StoredRegistration,
  attempt: NewAttempt,
  actor: Actor,
  context: DecisionContext,
): Promise<OpenedAttempt> {
  const { email } = registration.facts;
  const input = { email, attempt };
  const { outcome } = await registrations.decideWithin(
    tx,
    'start',
    registration,
    actor,
    input,
    context,
  );
  if (outcome.kind !== 'attempt_opened') {
    throw new Error(`A registration that was just made refused its attempt: ${outcome.kind}`);
  }
  return { expiresAt: outcome.expiresAt, interval: outcome.interval };
}
