import type { Scenario } from '../../../scenario.ts';
import type { ServiceWorld } from '../../../service/service-world.ts';

export const DIRECTORY_SCENARIOS: readonly Scenario<ServiceWorld>[] = [];
