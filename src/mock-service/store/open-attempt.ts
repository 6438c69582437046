import type { Actor, Transaction } from '../../mock/index.ts';
import type { DecisionContext, NewAttempt } from '../claim-machine/index.ts';
import type { RegistrationStore } from './registration-store.ts';
import type { StoredRegistration } from './rows.ts';

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
