import type { Transaction, Value } from '../../../../src/mock/store/database.ts';
import type { RegistrationFacts } from '../../../../src/mock-service/claim-machine/facts.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { type EffectWriters, withFacts } from '../../../../src/mock-service/store/apply-effects.ts';
import {
  findRegistrations,
  type StoredRegistration,
  updateRow,
} from '../../../../src/mock-service/store/stored-registration.ts';

/** Some effects of decisions are written another way. */
export function writing(change: (right: EffectWriters) => Partial<EffectWriters>): Rewired {
  return ({ registrations }) => {
    const right = registrations.effectWriters;
    const effectWriters = { ...right, ...change(right) };
    return { registrations: rewire.replacing(registrations, { effectWriters }) };
  };
}

/** Writes registrations past every decision. */
export async function rewrite(
  tx: Transaction,
  where: string,
  values: readonly Value[],
  change: (before: StoredRegistration) => StoredRegistration,
): Promise<void> {
  for (const before of await findRegistrations(tx, where, values)) {
    await updateRow(tx, before, change(before));
  }
}

/** The same, of what is decided by. */
export function rewriteFacts(
  tx: Transaction,
  where: string,
  values: readonly Value[],
  facts: Partial<RegistrationFacts>,
): Promise<void> {
  return rewrite(tx, where, values, (before) => withFacts(before, facts));
}
