import type { Faults } from '../../mock/index.ts';
import type { ProviderFault } from '../faults/index.ts';
import type { Attempt } from './after-attempt.ts';

/**
 * What a provider makes of an attempt that has the mistakes which are switched on; else the attempt.
 * @param again sends once more; given when it failed.
 */
export async function misjudge(
  attempt: Attempt,
  faults: Faults<ProviderFault>,
  again: (() => Promise<Attempt>) | undefined,
): Promise<Attempt> {
  if (again !== undefined && faults.has('eventsRetriedAtOnce')) return again();
  switch (attempt.kind) {
    case 'delivered':
      return faults.has('deliveredAgain')
        ? { kind: 'failed', problem: { code: 'taken' } }
        : attempt;
    case 'refused':
      return faults.has('refusalsRetried') ? { ...attempt, kind: 'failed' } : attempt;
    case 'failed':
      return faults.has('eventsTriedOnce')
        ? { kind: 'refused', problem: attempt.problem }
        : attempt;
    case 'not_wanted':
      return attempt;
  }
}
