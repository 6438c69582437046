import { JWT_BEARER_GRANT } from '../../../protocol/constants.ts';
import { describeDuration } from '../../../protocol/durations.ts';
import { describeCodeFormat, sampleUserCode } from '../../config/code-format.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { PATHS } from '../../config/paths.ts';
import { exampleResource } from '../../config/resource.ts';
import { type RegistrationSpelling, registrationTypes } from '../../skill/skill-register.ts';
import {
  discoverSection,
  type ErrorRow,
  endedCodes,
  errorRows,
  errorTable,
  preamble,
  revokeSection,
  useSection,
} from '../../skill/skill-sections.ts';
import {
  answer,
  code,
  codeList,
  lines,
  post,
  postForm,
  resourceSample,
  showing,
  tokenSample,
} from '../../skill/skill-text.ts';
import { spellingOf } from './problems.ts';

/**
 * The Markdown skill file: written from the configuration, so that everything in it is true.
 * @param trusted the issuers of the providers that are trusted now.
 */
export function skillFile(config: ServiceConfig, trusted: readonly string[]): string {
  const { codeFormat, issuer, lifetimes } = config;
  const sampleCode = sampleUserCode(codeFormat);
  return `${preamble(config, SECRETS)}

${discoverSection(config)}

## Register

${code(`POST ${issuer}${PATHS.identity}`)} with one of these types: choose one, and run its block alone. Keep the answer: register again only after the access has ended for good (${codeList(endedCodes(ERRORS))}, or a 401 or \`invalid_grant\` that is still there after one exchange and, while a refresh token is held, one refresh), and only if your user, told of it, still wants it.

${registrationTypes(config, trusted, REGISTRATIONS)}

## Claim

A user can claim a registration within ${describeDuration(lifetimes.claimWindow)}. The page shows the code to the user, who reads it to you.

1. Open a claim attempt.

${lines(
  `ANSWER=$(${post(issuer + PATHS.claim, '{"type":"service_auth","claim_token":"%s","login_hint":"%s"}', 'CLAIM_TOKEN', 'USER_EMAIL')})`,
  showing(REGISTRATIONS.shown),
)}

${answer(startedSample(config))}

2. Show the user the URL. They open it, sign in and approve; then the page shows them a code: ${describeCodeFormat(codeFormat)}, shown as ${code(sampleCode)}, valid for ${describeDuration(lifetimes.userCode)} from step 1. Ask them for it.
3. Hand it in. \`claim_not_confirmed\`: they have not approved yet; ask, then repeat this step. \`user_code_expired\`: back to step 1, if the user still wants it.

${lines(
  `USER_CODE=${sampleCode.replaceAll(' ', '')} # the code that your user read to you`,
  `ANSWER=$(${post(issuer + PATHS.complete, '{"claim_token":"%s","user_code":"%s"}', 'CLAIM_TOKEN', 'USER_CODE')})`,
  'keep ASSERTION assertion; keep REFRESH_TOKEN value; member error',
)}

${answer(claimedSample())}

This answer comes once: keep both before you go on. Older assertions and their tokens stop working.

## Exchange

An access token is valid for ${describeDuration(lifetimes.accessToken)}. Exchange the assertion for the next one. Scopes before a claim: ${codeList(config.scopes.preClaim) || 'none'}. After it: ${codeList(config.scopes.postClaim)}.

${lines(
  `ANSWER=$(${postForm(issuer + PATHS.token, `grant_type=${JWT_BEARER_GRANT}&assertion=%s`, 'ASSERTION')})`,
  'keep ACCESS_TOKEN access_token; member error',
)}

${answer(tokenSample(config))}

### When the assertion has expired

After a claim it is valid for ${describeDuration(lifetimes.assertion)}. The refresh token, valid for ${describeDuration(lifetimes.refreshToken)}, gets the next assertion, and the next refresh token. Each works once: sent a second time, it ends the access.

${lines(
  'if [ -n "$REFRESH_TOKEN" ]; then',
  `  ANSWER=$(${post(issuer + PATHS.identity, '{"type":"refresh","refresh_token":"%s"}', 'REFRESH_TOKEN')})`,
  '  keep ASSERTION assertion; keep REFRESH_TOKEN value; member error',
  'fi',
)}

${answer(refreshedSample(config))}

${useSection(config, resourceSample(config, exampleResource(config).resource))}

${revokeSection(config)}

## Errors

${errorTable(ERRORS, MOVES)}
`;
}

const SECRETS = [
  'ANSWER',
  'CLAIM_TOKEN',
  'USER_CODE',
  'ASSERTION',
  'REFRESH_TOKEN',
  'ACCESS_TOKEN',
  'ID_JAG',
];

/** The codes of polls, of which there are none here. */
const OF_POLLS: ReadonlySet<string> = new Set([
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
]);

const ERRORS: readonly ErrorRow[] = errorRows([
  'identity',
  'claim',
  'read_back',
  'refresh',
  'token',
  'revocation',
  'resource',
])
  .filter(({ code, place }) => place !== 'token' || !OF_POLLS.has(code))
  .map((row) => ({ ...row, ...spellingOf(row.place, row.code) }));

const MOVES = {
  poll_claim:
    'hand in the code of a claim that is open; else trade the refresh token once; else stop',
  confirm: 'have the user open the claim page and approve, then go on at Claim, step 3',
} as const;

/** How the skill file reads the answers to registrations. */
const REGISTRATIONS: RegistrationSpelling = {
  claimToken: 'token',
  assertion: 'assertion',
  shown: ['verification_uri'],
  samples: {
    anonymous: anonymousSample,
    service_auth: serviceAuthSample,
    identity_assertion: idJagSample,
  },
};

/** Answers as they look, for the skill file. What is a secret or made up ends in an ellipsis. */

const IDENTITY = { assertion: 'eyJ…', expires_at: '2026-01-01T01:00:00.000Z' };

const WITH_REFRESH_TOKEN = {
  ...IDENTITY,
  refresh_token: { value: 'art_…', expires_at: '2026-01-31T00:00:00.000Z' },
};

function anonymousSample({ issuer, scopes }: ServiceConfig): object {
  return {
    id: 'reg_…',
    type: 'anonymous',
    identity: IDENTITY,
    claim: claimSample(issuer),
    scopes: { pre_claim: scopes.preClaim, post_claim: scopes.postClaim },
  };
}

/** The answer to a registration that its user has to claim first. */
function serviceAuthSample({ issuer, scopes }: ServiceConfig): object {
  return {
    id: 'reg_…',
    type: 'service_auth',
    scopes: { post_claim: scopes.postClaim },
    claim: { ...claimSample(issuer), attempt: attemptSample(issuer) },
  };
}

/** The answer to an ID-JAG that is taken at once. */
function idJagSample({ scopes }: ServiceConfig): object {
  return {
    id: 'reg_…',
    type: 'identity_assertion',
    identity: IDENTITY,
    scopes: scopes.postClaim,
  };
}

/** The answer to the start of a claim. */
function startedSample({ issuer }: ServiceConfig): object {
  return { id: 'reg_…', type: 'service_auth', attempt: attemptSample(issuer) };
}

/** The answer to the code of the user. */
function claimedSample(): object {
  return { id: 'reg_…', status: 'claimed', identity: WITH_REFRESH_TOKEN };
}

/** The answer to a refresh token. */
function refreshedSample({ scopes }: ServiceConfig): object {
  return {
    id: 'reg_…',
    type: 'refresh',
    identity: WITH_REFRESH_TOKEN,
    scopes: scopes.postClaim,
  };
}

function claimSample(issuer: string): object {
  return { token: 'clm_…', expires_at: '2026-01-02T00:00:00.000Z', url: issuer + PATHS.claim };
}

function attemptSample(issuer: string): object {
  return {
    verification_uri: `${issuer}${PATHS.claimLink}/cat_…`,
    expires_at: '2026-01-01T00:10:00.000Z',
  };
}
