import type { Role } from './model.ts';
import type { Scenario } from './scenario.ts';
import { AGENT_SCENARIOS } from './scenarios/agent/index.ts';
import { PROVIDER_SCENARIOS } from './scenarios/provider/index.ts';
import { SERVICE_SCENARIOS } from './scenarios/service/index.ts';

/** What can be said of a scenario without running it. */
export type ScenarioOutline = Pick<Scenario<never>, 'id' | 'title' | 'checks' | 'safe'>;

/** Every scenario, by who is judged, in the order in which they run. */
export const ALL_SCENARIOS: Readonly<Record<Role, readonly ScenarioOutline[]>> = {
  service: SERVICE_SCENARIOS,
  agent: AGENT_SCENARIOS,
  provider: PROVIDER_SCENARIOS,
};
