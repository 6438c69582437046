import type { Database } from '../../mock/store/database.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { type Deciding, decisionContext } from '../claim-machine/machine.ts';
import { type NewAttempt, type OpenedAttempt, openAttemptFor } from './open-attempt.ts';
import type { Gate } from './rate-limit.ts';
import {
  insertRegistration,
  type NewRegistration,
  type RegistrationStore,
} from './registration-store.ts';

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
