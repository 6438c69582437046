import type { Scenario } from '../../engine/scenario.ts';
import type { AgentWorld } from '../agent-world.ts';
import { CALL_SCENARIOS } from './call/index.ts';
import { CLAIM_SCENARIOS } from './claim/index.ts';
import { CROSS_APP_SCENARIOS } from './cross-app/index.ts';
import { DISCOVERY_SCENARIOS } from './discovery/index.ts';
import { HOSTILE_SCENARIOS } from './hostile/index.ts';
import { PROVIDER_MINTS_SCENARIOS } from './provider/index.ts';

/** Those that wait for long begin first, then the others in this order. */
export const AGENT_SCENARIOS: readonly Scenario<AgentWorld>[] = [
  ...CLAIM_SCENARIOS,
  ...HOSTILE_SCENARIOS,
  ...PROVIDER_MINTS_SCENARIOS,
  ...CROSS_APP_SCENARIOS,
  ...DISCOVERY_SCENARIOS,
  ...CALL_SCENARIOS,
];
