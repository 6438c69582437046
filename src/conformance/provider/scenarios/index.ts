import type { Scenario } from '../../engine/scenario.ts';
import type { ProviderWorld } from '../provider-world.ts';
import { providerConnections } from './connections.ts';
import { consent, consentRevoked } from './consent.ts';
import { consentAttacks } from './consent-attacks.ts';
import { CROSS_APP_SCENARIOS } from './cross-app/index.ts';
import { deviceAttacks } from './device-attacks.ts';
import { deviceCodes, deviceDenied, deviceExpired, deviceSignIn } from './device-sign-in.ts';
import { clientDocument, keyRotation, providerDiscovery } from './discovery.ts';
import { eventRetry, eventUrl } from './event-retry.ts';
import { eventSent } from './event-sent.ts';
import { mint, mintRefusals, mintScope } from './mint.ts';
import { providerRedirects, providerSession } from './provider-session.ts';
import { sessionAge, subjectToken, tokenRequests } from './subject-token.ts';
import { mintedAudiences, providerStaysUp } from './whole-run.ts';

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
