import type { Scenario } from '../../engine/scenario.ts';
import type { ProviderWorld } from '../provider-world.ts';
import { clientDocument } from './client-document.ts';
import { providerConnections } from './connections.ts';
import { consent } from './consent.ts';
import { consentAttacks } from './consent-attacks.ts';
import { consentRevoked } from './consent-revoked.ts';
import { CROSS_APP_SCENARIOS } from './cross-app/index.ts';
import { deviceAttacks } from './device-attacks.ts';
import { deviceCodes } from './device-codes.ts';
import { deviceDenied, deviceExpired } from './device-ends.ts';
import { deviceSignIn } from './device-sign-in.ts';
import { providerDiscovery } from './discovery.ts';
import { eventRetry } from './event-retry.ts';
import { eventSent } from './event-sent.ts';
import { eventUrl } from './event-url.ts';
import { keyRotation } from './key-rotation.ts';
import { mint } from './mint.ts';
import { mintRefusals } from './mint-refusals.ts';
import { mintScope } from './mint-scope.ts';
import { mintedAudiences } from './minted-audiences.ts';
import { providerRedirects } from './provider-redirects.ts';
import { providerSession } from './provider-session.ts';
import { sessionAge } from './session-age.ts';
import { providerStaysUp } from './stays-up.ts';
import { subjectToken } from './subject-token.ts';
import { tokenRequests } from './token-requests.ts';

/** Every scenario of the provider, in the order in which an implementer builds: what is missing shows first. */
export const PROVIDER_SCENARIOS: readonly Scenario<ProviderWorld>[] = [
  providerDiscovery,
  clientDocument,
  providerConnections,
  deviceSignIn,
  deviceDenied,
  deviceExpired,
  consent,
  mint,
  mintScope,
  mintRefusals,
  subjectToken,
  tokenRequests,
  consentAttacks,
  deviceAttacks,
  providerRedirects,
  providerSession,
  consentRevoked,
  sessionAge,
  keyRotation,
  eventSent,
  eventRetry,
  eventUrl,
  ...CROSS_APP_SCENARIOS,
  // Whoever limits tries may stop the suite from here on.
  deviceCodes,
  mintedAudiences,
  providerStaysUp,
];
