import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { redemptionAudience, redemptionClaims, redemptionIssuer } from './claims.ts';
import { redemptionClient, redemptionDocuments } from './client.ts';
import { redemptionErrors, redemptionReplay, redemptionRevocation } from './errors.ts';
import { redemptionHeaders, redemptionKeys } from './headers.ts';
import { crossAppMetadata, redemption } from './redemption.ts';
import { redemptionResource, redemptionScope } from './scope.ts';

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
