import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { assertionAttacks } from './assertion-attacks.ts';
import { bearer, bearerErrors } from './bearer.ts';
import { claimedToken } from './claimed-token.ts';
import { clientAuthentication } from './client-authentication.ts';
import { exchange, exchangeRefusals } from './exchange.ts';
import { expiry } from './expiry.ts';
import { guard, protectedWrites } from './guard.ts';
import { identityAssertion, laterAssertions } from './identity-assertion.ts';
import { revocation } from './revocation.ts';
import { insufficientScope, resourceIndicators, scope } from './scope.ts';

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
