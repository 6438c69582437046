import type { Scenario } from '../../engine/scenario.ts';
import type { AgentWorld } from '../agent-world.ts';
import { endedAccess } from './call/ended.ts';
import { callFlow, leaving, oddTokens } from './call/flows.ts';
import {
  busyService,
  directory,
  narrowToken,
  redirectedCall,
  refusedToken,
  secondService,
} from './call/refusals.ts';
import {
  claimedAway,
  expiredAttempt,
  finalErrors,
  reopenedAttempt,
  supersededAway,
} from './claim/ends.ts';
import { claimFlow, clockJump, grantName, serviceAuth } from './claim/flows.ts';
import {
  busyPolls,
  defaultInterval,
  endlessPending,
  lostPolls,
  oddTimes,
  slowDown,
} from './claim/pace.ts';
import { deniedAccess, moreScope, oldSignIn, plainHttpServer } from './cross-app/again.ts';
import { bareResource, connect, endedToken, otherServer } from './cross-app/flow.ts';
import {
  noPkce,
  wrongIdJag,
  wrongIdToken,
  wrongRedirect,
  wrongServerIssuer,
} from './cross-app/refusals.ts';
import { challenges, issuerPath, newMetadata } from './discovery/places.ts';
import { foreignEndpoints, wrongIssuer, wrongResource } from './discovery/refusals.ts';
import {
  certificate,
  largeAnswers,
  oddMetadata,
  plainHttp,
  redirectedMetadata,
} from './discovery/transport.ts';
import { lookAlikePages } from './hostile/look-alike-pages.ts';
import { oddAnswers, slowMetadata, slowPolls, slowTokens } from './hostile/odd-answers.ts';
import { secrets } from './hostile/secrets.ts';
import { hostileTexts, hostileUrls, poisonedSkill } from './hostile/texts.ts';
import {
  consent,
  endedRegistration,
  idJag,
  loginRequired,
  lostAnswer,
  staleSignIn,
} from './provider/flows.ts';

export const CLAIM_SCENARIOS = [
  slowDown,
  oddTimes,
  defaultInterval,
  lostPolls,
  clockJump,
  busyPolls,
  endlessPending,
  claimFlow,
  serviceAuth,
  grantName,
  expiredAttempt,
  reopenedAttempt,
  finalErrors,
  claimedAway,
  supersededAway,
] as const;

export const HOSTILE_SCENARIOS = [
  slowMetadata,
  slowTokens,
  slowPolls,
  oddAnswers,
  secrets,
  hostileUrls,
  lookAlikePages,
  hostileTexts,
  poisonedSkill,
] as const;

export const PROVIDER_MINTS_SCENARIOS = [
  idJag,
  consent,
  endedRegistration,
  staleSignIn,
  loginRequired,
  lostAnswer,
] as const;

export const CROSS_APP_SCENARIOS = [
  connect,
  bareResource,
  wrongServerIssuer,
  noPkce,
  wrongRedirect,
  wrongIdToken,
  wrongIdJag,
  oldSignIn,
  deniedAccess,
  moreScope,
  endedToken,
  otherServer,
  plainHttpServer,
] as const;

export const DISCOVERY_SCENARIOS = [
  challenges,
  issuerPath,
  newMetadata,
  wrongResource,
  wrongIssuer,
  foreignEndpoints,
  plainHttp,
  redirectedMetadata,
  certificate,
  oddMetadata,
  largeAnswers,
] as const;

export const CALL_SCENARIOS = [
  callFlow,
  oddTokens,
  refusedToken,
  endedAccess,
  narrowToken,
  busyService,
  redirectedCall,
  secondService,
  leaving,
  directory,
] as const;

/** Those that wait for long begin first, then the others in this order. */
export const AGENT_SCENARIOS: readonly Scenario<AgentWorld>[] = [
  ...CLAIM_SCENARIOS,
  ...HOSTILE_SCENARIOS,
  ...PROVIDER_MINTS_SCENARIOS,
  ...CROSS_APP_SCENARIOS,
  ...DISCOVERY_SCENARIOS,
  ...CALL_SCENARIOS,
];
