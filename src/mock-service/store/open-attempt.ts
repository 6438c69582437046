import type { Actor } from '../../mock/audit/audit.ts';
import type { Transaction } from '../../mock/store/database.ts';
import type { NewAttempt } from '../claim-machine/effects.ts';
import type { DecisionContext } from '../claim-machine/machine.ts';
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
