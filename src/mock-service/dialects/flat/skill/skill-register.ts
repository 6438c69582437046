import {
  describeDuration,
  displayText,
  ID_JAG_TOKEN_TYPE,
  type IdentityType,
  JWT_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../../../protocol/index.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import { MAX_ID_JAG_LIFETIME } from '../../../config/lifetimes.ts';
import { PATHS } from '../../../config/paths.ts';
import { answer, code, lines, post } from '../../../skill/skill-text.ts';
import { anonymousSample, idJagSample, serviceAuthSample } from './skill-samples.ts';

/** What the skill file says of each offered type of registration. */
export function registrationTypes(config: ServiceConfig, trusted: readonly string[]): string {
  return config.identityTypes.map((type) => TEXTS[type](config, trusted)).join('\n\n');
}

const TEXTS: Readonly<
  Record<IdentityType, (config: ServiceConfig, trusted: readonly string[]) => string>
> = {
  anonymous: (config) => `### anonymous: limited access at once, a user can claim it later

${lines(
  `ANSWER=$(${post(config.issuer + PATHS.identity, '{"type":"anonymous"}')})`,
  'CLAIM_TOKEN=$(member claim_token) ASSERTION=$(member identity_assertion)',
)}

${answer(anonymousSample(config))}`,

  service_auth: (
    config,
  ) => `### service_auth: for a user whose email you know; nothing works before the claim

${lines(
  `ANSWER=$(${post(config.issuer + PATHS.identity, '{"type":"service_auth","login_hint":"%s"}', 'USER_EMAIL')})`,
  'CLAIM_TOKEN=$(member claim_token)',
  'member verification_uri; member user_code',
)}

${answer(serviceAuthSample(config))}

Its claim is open: go on at Claim, step 2.`,

  identity_assertion: (
    config,
    trusted,
  ) => `### identity_assertion: your provider vouches for the user

Have your provider mint an ID-JAG, by token exchange (${code(TOKEN_EXCHANGE_GRANT)}) with ${code(`requested_token_type=${ID_JAG_TOKEN_TYPE}`)} and ${code(`audience=${config.issuer}`)}, into the variable \`ID_JAG\`. It needs \`typ\` ${code(JWT_TYPE.idJag)}; \`aud\`, the issuer ${code(config.issuer)} alone; \`client_id\`; \`sub\`; a \`jti\` that was never used here; \`iat\` and \`exp\` at most ${describeDuration(MAX_ID_JAG_LIFETIME)} apart; \`auth_time\` at most ${describeDuration(config.lifetimes.maxAuthAge)} ago; and \`email\` with \`email_verified\`, or \`phone_number\` with \`phone_number_verified\`. Trusted providers: ${issuerList(trusted)}.

${lines(
  'if [ -n "$ID_JAG" ]; then',
  `  ANSWER=$(${post(config.issuer + PATHS.identity, `{"type":"identity_assertion","assertion_type":"${ID_JAG_TOKEN_TYPE}","assertion":"%s"}`, 'ID_JAG')})`,
  '  CLAIM_TOKEN=$(member claim_token) ASSERTION=$(member identity_assertion)',
  'fi',
)}

${answer(idJagSample(config))}

It needs no claim: go on at Exchange. A 401 \`interaction_required\` carries a \`claim\` instead: the user confirms the link to an account that exists. Go on at Claim, step 2.`,
};

const MOST_LISTED = 20;

/** Issuers that somebody may have added while the service runs: shown as code, whatever they hold. */
function issuerList(issuers: readonly string[]): string {
  if (issuers.length === 0) return 'none';
  const more = issuers.length - MOST_LISTED;
  const listed = issuers.slice(0, MOST_LISTED).map((each) => code(displayText(each, 200)));
  return `${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
