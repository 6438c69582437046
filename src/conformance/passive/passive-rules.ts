import type { PassiveRule } from './passive-rule.ts';
import { idJagUse, pushedEvents } from './rules/id-jags.ts';
import { listedGrants, metadataAgrees, mintedGrants } from './rules/metadata.ts';
import { framedPages, linkContents } from './rules/pages.ts';
import { pollAfterEnd, pollingPace } from './rules/polls.ts';
import {
  foreignOrigin,
  redirectedSecrets,
  resentCredentials,
  secretsInUrls,
  skillCredentials,
} from './rules/secrets.ts';
import {
  challenges,
  refusedAgain,
  revokedTokens,
  tokenAnswers,
  tokenRequest,
  wrongBearer,
} from './rules/tokens.ts';

/** The rules that traffic is judged by: of the agent, of the service, of the provider. */
export const PASSIVE_RULES: readonly PassiveRule[] = [
  pollingPace,
  pollAfterEnd,
  refusedAgain,
  wrongBearer,
  foreignOrigin,
  idJagUse,
  secretsInUrls,
  redirectedSecrets,
  skillCredentials,
  tokenRequest,
  metadataAgrees,
  challenges,
  listedGrants,
  tokenAnswers,
  revokedTokens,
  linkContents,
  framedPages,
  resentCredentials,
  mintedGrants,
  pushedEvents,
];
