import {
  describeDuration,
  JWT_BEARER_GRANT,
  revokedEventType,
} from '../../../../protocol/index.ts';
import { shellWord } from '../../../../runtime/index.ts';
import { describeCodeFormat } from '../../../config/code-format.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import { claimGrantTypes } from '../../../config/config.ts';
import { exampleResource } from '../../../config/example-resource.ts';
import { PATHS } from '../../../config/paths.ts';
import { sampleUserCode } from '../../../config/user-code.ts';
import { endedCodes, errorTable } from '../../../skill/skill-errors.ts';
import { answer, call, code, codeList, lines, post, postForm } from '../../../skill/skill-text.ts';
import { registrationTypes } from './skill-register.ts';
import {
  claimSample,
  collectedSample,
  resourceSample,
  seconds,
  tokenSample,
} from './skill-samples.ts';

/**
 * The Markdown skill file: written from the configuration, so that everything in it is true (wire contract §11).
 * @param trusted the issuers of the providers that are trusted now.
 */
export function skillFile(config: ServiceConfig, trusted: readonly string[]): string {
  const { codeFormat, issuer, lifetimes } = config;
  const { path, resource } = exampleResource(config);
  const example = shellWord(issuer + path);
  const sample = resourceSample(config, resource);
  return `# ${config.name}: how an agent gets access

You act for a user. Run the lines in one shell, in this order, but only one block of Register: later ones use what earlier ones kept. Secrets (\`ANSWER\`, \`CLAIM_TOKEN\`, \`ASSERTION\`, \`ACCESS_TOKEN\`, \`ID_JAG\`) stay in variables and go over stdin: never print or log them, nor type them into a command. When a step fails, \`member error\` says why; the table at the end says what to do.

${lines(
  `member() { printf '%s\\n' "$ANSWER" | sed -n 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p'; }`,
  'USER_EMAIL=alice@example.com # the email of your user',
)}

## Discover

A call without a token answers 401 with \`WWW-Authenticate: Bearer resource_metadata="…"\`. That document names the authorization server; the block \`agent_auth\` in the metadata of the server holds every URL that is repeated here.

${lines(
  `curl -sS -w '\\n' -i ${resource.method === 'GET' ? '' : `-X ${resource.method} `}${example}`,
  `curl -sS -w '\\n' ${shellWord(`${issuer}/.well-known/oauth-authorization-server`)}`,
)}

## Register

${code(`POST ${issuer}${PATHS.identity}`)} with one of these types: choose one, and run its block alone. Keep the answer: register again only after the access has ended for good (${codeList(endedCodes())}, or a 401 or \`invalid_grant\` that is still there after one exchange and, while a claim token is held, one claim poll), and only if your user, told of it, still wants it.

${registrationTypes(config, trusted)}

## Claim

A user can claim a registration within ${describeDuration(lifetimes.claimWindow)}.

1. Open a claim attempt.

${lines(
  `ANSWER=$(${post(issuer + PATHS.claim, '{"claim_token":"%s","email":"%s"}', 'CLAIM_TOKEN', 'USER_EMAIL')})`,
  'member verification_uri; member user_code',
)}

${answer(claimSample(config))}

2. Show the user the URL and the code: ${describeCodeFormat(codeFormat)}, shown as ${code(sampleUserCode(codeFormat))}, valid for ${describeDuration(lifetimes.userCode)}. They open the URL, sign in and enter the code.
3. Poll meanwhile. \`expired_token\`: back to step 1, if the user still wants it.

${lines(
  `WAIT=${seconds(lifetimes.interval)}`,
  'while sleep "$WAIT"; do',
  `  ANSWER=$(${postForm(issuer + PATHS.token, `grant_type=${claimGrantTypes(config)[0]}&claim_token=%s`, 'CLAIM_TOKEN')})`,
  '  case $(member error) in',
  '    authorization_pending) ;;',
  '    slow_down) WAIT=$((WAIT + 5)) ;;',
  '    *) break ;;',
  '  esac',
  'done',
  'ACCESS_TOKEN=$(member access_token) ASSERTION=$(member identity_assertion)',
)}

${answer(collectedSample(config))}

The assertion is valid for ${describeDuration(lifetimes.claimedAssertion)}; older ones and their tokens stop working.

## Exchange

An access token is valid for ${describeDuration(lifetimes.accessToken)}. Exchange the assertion for the next one. Scopes before a claim: ${codeList(config.scopes.preClaim) || 'none'}. After it: ${codeList(config.scopes.postClaim)}.

${lines(
  `ANSWER=$(${postForm(issuer + PATHS.token, `grant_type=${JWT_BEARER_GRANT}&assertion=%s`, 'ASSERTION')})`,
  'ACCESS_TOKEN=$(member access_token)',
)}

${answer(tokenSample(config))}

## Use

${lines(call(resource.method, issuer + path))}
${sample === undefined ? '' : `\n${answer(sample)}\n`}
${resourceList(config)} A 403 \`insufficient_scope\` means: have the registration claimed.

## Handle revoke

The user can end the access at ${issuer}${PATHS.connections}, and the provider by the event ${code(revokedEventType(config.eventBase))}. Then a call answers 401 and the exchange \`invalid_grant\`: stop as said under Register. To give an access token back:

${lines(`${postForm(issuer + PATHS.revocation, 'token=%s', 'ACCESS_TOKEN')}`)}

## Errors

${errorTable()}
`;
}

const MOST_LISTED = 20;

/** Which scopes each resource takes. */
function resourceList({ issuer, resources }: ServiceConfig): string {
  const listed = resources.slice(0, MOST_LISTED).map(({ method, open, path, scopes }) => {
    const needs = open ? 'no token' : codeList(scopes) || 'any token';
    return `${code(`${method} ${issuer}${path.replace(/\/\*$/, '')}`)} needs ${needs}`;
  });
  const more = resources.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}
