import { instant } from '../../protocol/instant.ts';
import type { LivePart } from './live-part.ts';
import type { LiveActionName, LiveParty } from './model.ts';

const OF_BOTH: readonly LiveActionName[] = ['clock', 'rotate', 'faults', 'reset'];
const OF_A_SERVICE: readonly LiveActionName[] = ['complete', 'deny', 'revoke'];

/** A mock as the page is told it. */
export async function liveParty({ controls, name, role, service }: LivePart): Promise<LiveParty> {
  const { clockOffset, faults, issuer, now } = await controls.state();
  const on = new Set(faults);
  return {
    role,
    name,
    issuer,
    now: instant(now),
    clock_offset_ms: clockOffset,
    controls: service === undefined ? OF_BOTH : [...OF_BOTH, ...OF_A_SERVICE],
    faults: controls.faults().map((fault) => ({
      name: fault.name,
      description: fault.description,
      on: on.has(fault.name),
    })),
    dialect: service?.dialect ?? null,
  };
}
