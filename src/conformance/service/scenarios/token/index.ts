import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { assertionAttacks } from './assertion-attacks.ts';
import { bearer } from './bearer.ts';
import { bearerErrors } from './bearer-errors.ts';
import { claimedToken } from './claimed-token.ts';
import { clientAuthentication } from './client-authentication.ts';
import { exchange } from './exchange.ts';
import { exchangeRefusals } from './exchange-refusals.ts';
import { expiry } from './expiry.ts';
import { guard } from './guard.ts';
import { identityAssertion } from './identity-assertion.ts';
import { insufficientScope } from './insufficient-scope.ts';
import { laterAssertions } from './later-assertions.ts';
import { protectedWrites } from './protected-writes.ts';
import { resourceIndicators } from './resource-indicators.ts';
import { revocation } from './revocation.ts';
import { scope } from './scope.ts';

export const TOKEN_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  exchange,
  identityAssertion,
  laterAssertions,
  exchangeRefusals,
  scope,
  resourceIndicators,
  clientAuthentication,
  assertionAttacks,
  bearer,
  bearerErrors,
  guard,
  insufficientScope,
  protectedWrites,
  revocation,
  claimedToken,
  expiry,
];
