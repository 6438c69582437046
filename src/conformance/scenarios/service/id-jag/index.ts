import type { Scenario } from '../../../scenario.ts';
import type { ServiceWorld } from '../../../service/service-world.ts';

export const ID_JAG_SCENARIOS: readonly Scenario<ServiceWorld>[] = [];
