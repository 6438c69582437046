import type { Scenario } from '../../../scenario.ts';
import type { ServiceWorld } from '../../../service/service-world.ts';
import { anonymous } from './anonymous.ts';

export const REGISTRATION_SCENARIOS: readonly Scenario<ServiceWorld>[] = [anonymous];
