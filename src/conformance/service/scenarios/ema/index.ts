import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { redemptionAudience } from './audience.ts';
import { crossAppMetadata } from './metadata.ts';
import { redemption } from './redemption.ts';

/** Cross-app access: the good redemption first, which unlocks the wrong ones. */
export const EMA_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  crossAppMetadata,
  redemption,
  redemptionAudience,
];
