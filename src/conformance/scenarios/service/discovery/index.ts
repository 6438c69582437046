import type { Scenario } from '../../../scenario.ts';
import type { ServiceWorld } from '../../../service/service-world.ts';

export const DISCOVERY_SCENARIOS: readonly Scenario<ServiceWorld>[] = [];
