import { AGENT_SCENARIOS } from './agent/scenarios/index.ts';
import type { Role } from './engine/model.ts';
import type { Scenario } from './engine/scenario.ts';
import { PROVIDER_SCENARIOS } from './provider/scenarios/index.ts';
import { SERVICE_SCENARIOS } from './service/scenarios/index.ts';

/** What can be said of a scenario without running it. */
export type ScenarioOutline = Pick<
  Scenario<never>,
  'id' | 'title' | 'checks' | 'safe' | 'resting' | 'blockedBy'
>;

/** Every scenario, by who is judged, in the order in which they run. */
export const ALL_SCENARIOS: Readonly<Record<Role, readonly ScenarioOutline[]>> = {
  service: SERVICE_SCENARIOS,
  agent: AGENT_SCENARIOS,
  provider: PROVIDER_SCENARIOS,
};
