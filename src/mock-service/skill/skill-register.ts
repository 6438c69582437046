import { ID_JAG_TOKEN_TYPE, type IdentityType } from '../../protocol/constants.ts';
import type { ServiceConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import { idJagNeeds } from './skill-id-jag.ts';
import { answer, lines, post, showing } from './skill-text.ts';

/** What the answers to registrations are like in a dialect: the names of their members, and an example of each. */
export interface RegistrationSpelling {
  readonly claimToken: string;
  readonly assertion: string;
  /** What of a claim is shown to the user, in this order. */
  readonly shown: readonly string[];
  readonly samples: Readonly<Record<IdentityType, (config: ServiceConfig) => object>>;
}

/** What the skill file says of each offered type of registration. */
export function registrationTypes(
  config: ServiceConfig,
  trusted: readonly string[],
  spelling: RegistrationSpelling,
): string {
  return config.identityTypes.map((type) => TEXTS[type](config, spelling, trusted)).join('\n\n');
}

type Text = (
  config: ServiceConfig,
  spelling: RegistrationSpelling,
  trusted: readonly string[],
) => string;

const TEXTS: Readonly<Record<IdentityType, Text>> = {
  anonymous: (
    config,
    { claimToken, assertion, samples },
  ) => `### anonymous: limited access at once, a user can claim it later

${lines(
  `ANSWER=$(${post(config.issuer + PATHS.identity, '{"type":"anonymous"}')})`,
  `keep CLAIM_TOKEN ${claimToken}; keep ASSERTION ${assertion}; member error`,
)}

${answer(samples.anonymous(config))}

It works at once: go on at Exchange. Claim is for later, when your user wants more of it.`,

  service_auth: (
    config,
    { claimToken, shown, samples },
  ) => `### service_auth: for a user whose email you know; nothing works before the claim

${lines(
  `ANSWER=$(${post(config.issuer + PATHS.identity, '{"type":"service_auth","login_hint":"%s"}', 'USER_EMAIL')})`,
  `keep CLAIM_TOKEN ${claimToken}`,
  showing(shown),
)}

${answer(samples.service_auth(config))}

Its claim is open: go on at Claim, step 2.`,

  identity_assertion: (
    config,
    { claimToken, assertion, shown, samples },
    trusted,
  ) => `### identity_assertion: your provider vouches for the user

${idJagNeeds(config, trusted)}

${lines(
  'if [ -n "$ID_JAG" ]; then',
  `  ANSWER=$(${post(config.issuer + PATHS.identity, `{"type":"identity_assertion","assertion_type":"${ID_JAG_TOKEN_TYPE}","assertion":"%s"}`, 'ID_JAG')})`,
  `  keep CLAIM_TOKEN ${claimToken}; keep ASSERTION ${assertion}`,
  `  ${showing(shown)}`,
  'fi',
)}

${answer(samples.identity_assertion(config))}

It needs no claim: go on at Exchange. A 401 \`interaction_required\` carries a \`claim\` instead: the user confirms the link to an account that exists. Go on at Claim, step 2.`,
};
