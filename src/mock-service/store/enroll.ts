import type { Database, ExpiredRows } from '../../mock/index.ts';
import type { RegistrationFacts } from '../claim-machine/index.ts';
import { type NewAttempt, type OpenedAttempt, openAttemptFor } from './open-attempt.ts';
import type { Gate } from './rate-limit.ts';
import {
  type Deciding,
  insertRegistration,
  type NewRegistration,
  type RegistrationStore,
} from './registration-store.ts';

interface Enrolling extends Pick<Deciding, 'decisionContext'> {
  readonly db: Database;
  readonly expired: ExpiredRows;
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
  { db, decisionContext, expired, registrations }: Enrolling,
  registration: Enrolled,
  { attempt, gate }: { readonly attempt?: NewAttempt; readonly gate: Gate | undefined },
): Promise<{ readonly facts: RegistrationFacts; readonly attempt: OpenedAttempt | undefined }> {
  return db.transaction(async (tx) => {
    const context = decisionContext();
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
    await expired.remove(tx, now);
    return { facts: stored.facts, attempt: opened };
  });
}
