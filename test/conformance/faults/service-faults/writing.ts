import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { EffectWriters } from '../../../../src/mock-service/store/apply-effects.ts';

/** Some effects of decisions are written another way. */
export function writing(change: (right: EffectWriters) => Partial<EffectWriters>): Rewired {
  return ({ registrations }) => {
    const right = registrations.effectWriters;
    const effectWriters = { ...right, ...change(right) };
    return { registrations: rewire.replacing(registrations, { effectWriters }) };
  };
}
