import type { PassiveRule } from './passive-rule.ts';
import { challenges } from './rules/challenges.ts';
import { foreignOrigin } from './rules/foreign-origin.ts';
import { framedPages } from './rules/framed-pages.ts';
import { idJagUse } from './rules/id-jag-use.ts';
import { linkContents } from './rules/link-contents.ts';
import { listedGrants } from './rules/listed-grants.ts';
import { metadataAgrees } from './rules/metadata-agrees.ts';
import { mintedGrants } from './rules/minted-grants.ts';
import { pollAfterEnd } from './rules/poll-after-end.ts';
import { pollingPace } from './rules/polling-pace.ts';
import { pushedEvents } from './rules/pushed-events.ts';
import { redirectedSecrets } from './rules/redirected-secrets.ts';
import { refusedAgain } from './rules/refused-again.ts';
import { resentCredentials } from './rules/resent-credentials.ts';
import { revokedTokens } from './rules/revoked-tokens.ts';
import { secretsInUrls } from './rules/secrets-in-urls.ts';
import { skillCredentials } from './rules/skill-credentials.ts';
import { tokenAnswers } from './rules/token-answers.ts';
import { tokenRequest } from './rules/token-request.ts';
import { wrongBearer } from './rules/wrong-bearer.ts';

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
