import { type Config, GRANT, LIFE } from './config.ts';

/** What an agent reads to find its way. */
export function skillFile({ issuer }: Config): string {
  return `# ${issuer} for agents

## Discover
Call ${issuer}/api/resource without a token. The challenge of the 401 leads to the metadata.

## Register
POST JSON to ${issuer}/agent/identity:
- \`{"type":"anonymous"}\`: works at once, with \`api.read\`.
- \`{"type":"service_auth","login_hint":"user@example.com"}\`: the user claims it.
- \`{"type":"identity_assertion","assertion":"…"}\`: an ID-JAG with the audience \`${issuer}\`.

## Claim
POST \`claim_token\` and \`email\` as JSON to ${issuer}/agent/identity/claim. Give the user \`verification_uri\` and
\`user_code\`, which expire after ${LIFE.code / 60} minutes.

## Exchange
POST a form to ${issuer}/oauth2/token: \`grant_type=${GRANT.bearer}\` with \`assertion\`; or
\`grant_type=${GRANT.claim}\` with \`claim_token\`, every ${LIFE.interval} seconds.

## Use
\`Authorization: Bearer …\`. An access token lives ${LIFE.accessToken / 60} minutes. Scopes: \`api.read\`, \`api.write\`.

## Handle revoke
POST \`token\` as a form to ${issuer}/oauth2/revoke when you are done. On 401 exchange again; on \`invalid_grant\` poll
the claim once, then register again.

## Errors
JSON with \`error\`. \`authorization_pending\`, \`slow_down\`: go on polling. \`expired_token\`: claim again.
\`access_denied\`: the user said no. \`interaction_required\`: show the \`claim\` in the answer to the user.
`;
}
