import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { redemptionAudience } from './audience.ts';
import { redemptionClaims, redemptionIssuer } from './claims.ts';
import { redemptionClient } from './client.ts';
import { redemptionDocuments } from './documents.ts';
import { redemptionErrors, redemptionRevocation } from './errors.ts';
import { redemptionHeaders } from './headers.ts';
import { redemptionKeys } from './keys.ts';
import { crossAppMetadata } from './metadata.ts';
import { redemption } from './redemption.ts';
import { redemptionReplay } from './replay.ts';
import { redemptionResource } from './resource.ts';
import { redemptionScope } from './scope.ts';

/** Cross-app access: the good redemption first, which unlocks the wrong ones. */
export const EMA_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  crossAppMetadata,
  redemption,
  redemptionAudience,
  redemptionClient,
  redemptionScope,
  redemptionResource,
  redemptionIssuer,
  redemptionReplay,
  redemptionErrors,
  redemptionRevocation,
  redemptionDocuments,
  redemptionKeys,
  redemptionClaims,
  redemptionHeaders,
];
