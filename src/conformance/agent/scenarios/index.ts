import type { Scenario } from '../../engine/scenario.ts';
import type { AgentWorld } from '../agent-world.ts';
import { endedAccess } from './call/ended.ts';
import { callFlow, leaving, oddTokens } from './call/flows.ts';
import * as callRefusals from './call/refusals.ts';
import * as claimEnds from './claim/ends.ts';
import { claimFlow, clockJump, grantName, serviceAuth } from './claim/flows.ts';
import * as pace from './claim/pace.ts';
import { deniedAccess, moreScope, oldSignIn, plainHttpServer } from './cross-app/again.ts';
import { bareResource, connect, endedToken, otherServer } from './cross-app/flow.ts';
import * as crossAppRefusals from './cross-app/refusals.ts';
import { challenges, issuerPath, newMetadata } from './discovery/places.ts';
import { foreignEndpoints, wrongIssuer, wrongResource } from './discovery/refusals.ts';
import * as transport from './discovery/transport.ts';
import { lookAlikePages } from './hostile/look-alike-pages.ts';
import { oddAnswers, slowMetadata, slowPolls, slowTokens } from './hostile/odd-answers.ts';
import { secrets } from './hostile/secrets.ts';
import { hostileTexts, hostileUrls, poisonedSkill } from './hostile/texts.ts';
import * as provider from './provider/flows.ts';

export const CLAIM_SCENARIOS = [
  pace.slowDown,
  pace.oddTimes,
  pace.defaultInterval,
  pace.lostPolls,
  clockJump,
  pace.busyPolls,
  pace.endlessPending,
  claimFlow,
  serviceAuth,
  grantName,
  claimEnds.expiredAttempt,
  claimEnds.reopenedAttempt,
  claimEnds.finalErrors,
  claimEnds.claimedAway,
  claimEnds.supersededAway,
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
  provider.idJag,
  provider.consent,
  provider.endedRegistration,
  provider.staleSignIn,
  provider.loginRequired,
  provider.lostAnswer,
] as const;

export const CROSS_APP_SCENARIOS = [
  connect,
  bareResource,
  crossAppRefusals.wrongServerIssuer,
  crossAppRefusals.noPkce,
  crossAppRefusals.wrongRedirect,
  crossAppRefusals.wrongIdToken,
  crossAppRefusals.wrongIdJag,
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
  transport.plainHttp,
  transport.redirectedMetadata,
  transport.certificate,
  transport.oddMetadata,
  transport.largeAnswers,
] as const;

export const CALL_SCENARIOS = [
  callFlow,
  oddTokens,
  callRefusals.refusedToken,
  endedAccess,
  callRefusals.narrowToken,
  callRefusals.busyService,
  callRefusals.redirectedCall,
  callRefusals.secondService,
  leaving,
  callRefusals.directory,
] as const;

/** The scenarios for an agent: those that wait for long begin first, then the others in this order. */
export const AGENT_SCENARIOS: readonly Scenario<AgentWorld>[] = [
  ...CLAIM_SCENARIOS,
  ...HOSTILE_SCENARIOS,
  ...PROVIDER_MINTS_SCENARIOS,
  ...CROSS_APP_SCENARIOS,
  ...DISCOVERY_SCENARIOS,
  ...CALL_SCENARIOS,
];
