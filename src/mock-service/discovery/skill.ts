import {
  AGENT_MOVES,
  describeDuration,
  ID_JAG_TOKEN_TYPE,
  type IdentityType,
  JWT_BEARER_GRANT,
  revokedEventType,
  type Surface,
  WIRE_CODES,
  type WireCode,
} from '../../protocol/index.ts';
import type { ServiceConfig } from '../config/config.ts';
import { claimGrantTypes } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';

/** The Markdown skill file: written from the configuration, so that everything in it is true (wire.md §11). */
export function skillFile(config: ServiceConfig): string {
  const { issuer, lifetimes } = config;
  return `# ${config.name}: how an agent gets access

You act for a user. Follow these steps in order. URLs come from the metadata; they are repeated here for reading.

## Discover

1. Call a protected resource, for example \`GET ${issuer}/api/resource\`. The 401 carries \`WWW-Authenticate: Bearer resource_metadata="…"\`.
2. Read that URL, then the metadata of its authorization server: \`GET ${issuer}/.well-known/oauth-authorization-server\`. The block \`agent_auth\` holds every URL that you need.

## Register

\`POST ${issuer}${PATHS.identity}\` with a JSON object, \`Content-Type: application/json\`. The member \`type\` is one of:

${config.identityTypes.map((type) => REGISTRATION_TEXT[type]).join('\n')}

Keep the answer. \`claim_token\` and \`identity_assertion\` are secrets: never show or log them.

## Claim

A user can claim a registration within ${describeDuration(lifetimes.claimWindow)}.

1. \`POST ${issuer}${PATHS.claim}\` with \`{ "claim_token": "…", "email": "user@example.com" }\` opens an attempt (\`service_auth\` comes with one).
2. Show the user \`verification_uri\` and \`user_code\`. They open the URL, sign in and enter the code. It is valid for ${describeDuration(lifetimes.userCode)}.
3. Poll \`POST ${issuer}${PATHS.token}\` (form-encoded) with \`grant_type=${claimGrantTypes(config)[0]}\` and \`claim_token=…\` every ${describeDuration(lifetimes.interval)}. \`authorization_pending\`: go on. \`slow_down\`: wait 5 seconds longer from then on. \`expired_token\`: open a new attempt as in step 1, if the user still wants it.
4. Success carries \`access_token\` and a new \`identity_assertion\` (valid for ${describeDuration(lifetimes.claimedAssertion)}). Older ones stop working.

## Exchange

\`POST ${issuer}${PATHS.token}\` (form-encoded) with \`grant_type=${JWT_BEARER_GRANT}\` and \`assertion=<identity_assertion>\`. The access token is valid for ${describeDuration(lifetimes.accessToken)}; exchange again when it has expired.

Scopes before a claim: ${codeList(config.scopes.pre)}. After it: ${codeList(config.scopes.post)}.

## Use

Send \`Authorization: Bearer <access_token>\`. \`GET ${issuer}/api/resource\` needs \`api.read\`, \`POST\` needs \`api.write\`. A 403 \`insufficient_scope\` means: have the registration claimed.

## Handle revoke

The user can end the access at ${issuer}${PATHS.connections}, and the provider by the event \`${revokedEventType(config.eventBase)}\`. Then a call answers 401 and the exchange \`invalid_grant\`. Exchange once; if a claim is open, poll it once; then stop and tell the user. Never register again by yourself.
To give an access token back: \`POST ${issuer}${PATHS.revocation}\` (form-encoded) with \`token=…\`.

## Errors

${errorTable(['identity', 'claim', 'token', 'revocation', 'resource'])}
`;
}

const REGISTRATION_TEXT: Readonly<Record<IdentityType, string>> = {
  anonymous:
    '- `anonymous`: nothing else. You get limited access at once; a user can claim it later.',
  service_auth:
    '- `service_auth` with `login_hint`: the email address of the user. Nothing works before the claim.',
  identity_assertion: `- \`identity_assertion\` with \`assertion_type\` \`${ID_JAG_TOKEN_TYPE}\` and \`assertion\`: an ID-JAG that your provider minted for this service.`,
};

function codeList(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ');
}

function errorTable(surfaces: readonly Surface[]): string {
  const rows = surfaces.flatMap((surface) => {
    const codes: Readonly<Record<string, WireCode>> = WIRE_CODES[surface];
    return Object.entries(codes).map(
      ([code, { status, next }]) =>
        `| ${surface} | \`${code}\` | ${status} | ${AGENT_MOVES[next]} |`,
    );
  });
  return ['| where | error | status | what to do |', '|---|---|---|---|', ...rows].join('\n');
}
