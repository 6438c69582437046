import { revokedEventType } from '../../../protocol/constants.ts';
import { describeDuration } from '../../../protocol/durations.ts';
import { shellWord } from '../../../runtime/shell-word.ts';
import { describeCodeFormat } from '../../config/code-format.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { PATHS } from '../../config/paths.ts';
import { exampleResource } from '../../config/resource.ts';
import { HELPERS } from '../../skill/skill-sections.ts';
import { call, code, codeList, lines, post } from '../../skill/skill-text.ts';

/** The skill file of v0.1, written from the configuration: three requests, no token endpoint. */
export function firstSkill(config: ServiceConfig, trusted: readonly string[]): string {
  const { codeFormat, eventBase, issuer, lifetimes, scopes } = config;
  const { path, resource } = exampleResource(config);
  const register = issuer + PATHS.identity;
  const claim = issuer + PATHS.claim;
  return `# ${config.name}: how an agent gets access

You act for a user. Secrets (\`ANSWER\`, \`CREDENTIAL\`, \`CLAIM_TOKEN\`, \`OTP\`) stay in variables: never print or log them.

${HELPERS}

## Register

${code(`POST ${register}`)} answers with an API key at once. It has no end: keep it, and register once. Before a claim it is good for ${codeList(scopes.preClaim) || 'no scope'}.

${lines(
  `ANSWER=$(${post(register, '{"type":"anonymous","requested_credential_type":"api_key"}')})`,
  'keep CREDENTIAL credential; keep CLAIM_TOKEN claim_token; member error',
)}

With \`"type":"identity_assertion"\`, \`assertion_type\` says what \`assertion\` is: \`verified_email\`, an email, to which a code is mailed at once; or an ID-JAG of ${codeList(trusted) || 'a provider (none is trusted now)'}.

## Claim

A user can claim a registration within ${describeDuration(lifetimes.claimWindow)}. A code is mailed: ${describeCodeFormat(codeFormat)}, valid for ${describeDuration(lifetimes.userCode)}. Ask the user for it, and hand it in. The same key then has ${codeList(scopes.postClaim)}.

${lines(
  `ANSWER=$(${post(claim, '{"claim_token":"%s","email":"%s"}', 'CLAIM_TOKEN', 'USER_EMAIL')})`,
  'member error',
  `ANSWER=$(${post(issuer + PATHS.complete, '{"claim_token":"%s","otp":"%s"}', 'CLAIM_TOKEN', 'OTP')})`,
  'keep CREDENTIAL credential; member error',
)}

\`otp_invalid\`: ask again. \`otp_expired\`: start a new claim. \`previously_claimed\`, \`claim_expired\`: stop.

## Use

${lines(call(resource.method, issuer + path).replaceAll('ACCESS_TOKEN', 'CREDENTIAL'))}

The user ends the access at ${shellWord(issuer + PATHS.connections)}, a provider by ${code(revokedEventType(eventBase))} at ${code(issuer + PATHS.events)}. Calls then answer 401.
`;
}
