import type { Actor, Transaction } from '../../mock/index.ts';
import { decide, type Moment, type NewAttempt } from '../claim-machine/index.ts';
import { applyEffects } from './apply-effects.ts';
import type { StoredRegistration } from './rows.ts';

export type { NewAttempt };

export interface OpenedAttempt {
  readonly expiresAt: number;
  readonly interval: number;
}

/** Opens the attempt that a new registration, or a repeated ID-JAG, comes with. */
export async function openAttemptFor(
  tx: Transaction,
  registration: StoredRegistration,
  attempt: NewAttempt,
  moment: Moment,
  actor: Actor,
): Promise<OpenedAttempt> {
  const { facts } = registration;
  const decision = decide('start', facts, { email: facts.email, attempt }, moment);
  if (decision.outcome.kind !== 'attempt_opened') {
    throw new Error(
      `A registration that was just made refused its attempt: ${decision.outcome.kind}`,
    );
  }
  await applyEffects(tx, registration, decision.effects, { actor, at: moment.now });
  return { expiresAt: decision.outcome.expiresAt, interval: decision.outcome.interval };
}
