import type { Scenario } from '../../../engine/scenario.ts';
import type { ProviderWorld } from '../../provider-world.ts';
import { idpAuthorization } from './authorization.ts';
import { idpCode, idpCodeRace, idpKeyRotation } from './code.ts';
import { idpExchange } from './exchange.ts';
import { idpExchangeRefusals } from './exchange-refusals.ts';
import { idpMetadata } from './metadata.ts';
import { idpFreshSignIn, idpRefresh } from './sign-in.ts';
import { idpSignInAge, idpSubjectTokens } from './subject-tokens.ts';

/** The scenarios of an identity provider with clients of its own (MCP Enterprise-Managed Authorization). */
export const CROSS_APP_SCENARIOS: readonly Scenario<ProviderWorld>[] = [
  idpMetadata,
  idpAuthorization,
  idpCode,
  idpFreshSignIn,
  idpRefresh,
  idpExchange,
  idpExchangeRefusals,
  idpSubjectTokens,
  idpSignInAge,
  idpKeyRotation,
  idpCodeRace,
];
