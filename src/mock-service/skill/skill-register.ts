import {
  ID_JAG_TOKEN_TYPE,
  type IdentityType,
  JWT_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/constants.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { displayText } from '../../protocol/text.ts';
import type { ServiceConfig } from '../config/config.ts';
import { MAX_ID_JAG_LIFETIME } from '../config/lifetimes.ts';
import { PATHS } from '../config/paths.ts';
import { answer, code, lines, post, showing } from './skill-text.ts';

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

/** How an agent gets an ID-JAG, and what it has to hold. */
function idJagNeeds(config: ServiceConfig, trusted: readonly string[]): string {
  return `Have your provider mint an ID-JAG, by token exchange (${code(TOKEN_EXCHANGE_GRANT)}) with ${code(`requested_token_type=${ID_JAG_TOKEN_TYPE}`)} and ${code(`audience=${config.issuer}`)}, into the variable \`ID_JAG\`. It needs \`typ\` ${code(JWT_TYPE.idJag)}; \`aud\`, the issuer ${code(config.issuer)} alone; \`client_id\`; \`sub\`; a \`jti\` that was never used here; \`iat\` and \`exp\` at most ${describeDuration(MAX_ID_JAG_LIFETIME)} apart; \`auth_time\` at most ${describeDuration(config.lifetimes.maxAuthAge)} ago; and \`email\` with \`email_verified\`, or \`phone_number\` with \`phone_number_verified\`. Trusted providers: ${issuerList(trusted)}.`;
}

const MOST_LISTED = 20;

/** Issuers that somebody may have added while the service runs: shown as code, whatever they hold. */
function issuerList(issuers: readonly string[]): string {
  if (issuers.length === 0) return 'none';
  const more = issuers.length - MOST_LISTED;
  const listed = issuers.slice(0, MOST_LISTED).map((each) => code(displayText(each, 200)));
  return `${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
