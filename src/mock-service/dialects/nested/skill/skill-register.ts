import { ID_JAG_TOKEN_TYPE, type IdentityType } from '../../../../protocol/index.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import { PATHS } from '../../../config/paths.ts';
import { idJagNeeds } from '../../../skill/skill-id-jag.ts';
import { answer, lines, post } from '../../../skill/skill-text.ts';
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
  'CLAIM_TOKEN=$(member token) ASSERTION=$(member assertion)',
)}

${answer(anonymousSample(config))}`,

  service_auth: (
    config,
  ) => `### service_auth: for a user whose email you know; nothing works before the claim

${lines(
  `ANSWER=$(${post(config.issuer + PATHS.identity, '{"type":"service_auth","login_hint":"%s"}', 'USER_EMAIL')})`,
  'CLAIM_TOKEN=$(member token)',
  'member verification_uri',
)}

${answer(serviceAuthSample(config))}

Its claim is open: go on at Claim, step 2.`,

  identity_assertion: (
    config,
    trusted,
  ) => `### identity_assertion: your provider vouches for the user

${idJagNeeds(config, trusted)}

${lines(
  'if [ -n "$ID_JAG" ]; then',
  `  ANSWER=$(${post(config.issuer + PATHS.identity, `{"type":"identity_assertion","assertion_type":"${ID_JAG_TOKEN_TYPE}","assertion":"%s"}`, 'ID_JAG')})`,
  '  CLAIM_TOKEN=$(member token) ASSERTION=$(member assertion)',
  'fi',
)}

${answer(idJagSample(config))}

It needs no claim: go on at Exchange. A 401 \`interaction_required\` carries a \`claim\` instead: the user confirms the link to an account that exists. Go on at Claim, step 2.`,
};
