import { JWT_BEARER_GRANT } from '../../../protocol/constants.ts';
import { describeDuration } from '../../../protocol/durations.ts';
import { describeCodeFormat, sampleUserCode } from '../../config/code-format.ts';
import { claimGrantTypes, type ServiceConfig } from '../../config/config.ts';
import { PATHS } from '../../config/paths.ts';
import { exampleResource } from '../../config/resource.ts';
import { type RegistrationSpelling, registrationTypes } from '../../skill/skill-register.ts';
import {
  discoverSection,
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
  REGISTRATION,
  resourceSample,
  seconds,
  showing,
  tokenSample,
} from '../../skill/skill-text.ts';

/**
 * The Markdown skill file: written from the configuration, so that everything in it is true (wire contract §11).
 * @param trusted the issuers of the providers that are trusted now.
 */
export function skillFile(config: ServiceConfig, trusted: readonly string[]): string {
  const { codeFormat, issuer, lifetimes } = config;
  return `${preamble(config, SECRETS)}

${discoverSection(config)}

## Register

${code(`POST ${issuer}${PATHS.identity}`)} with one of these types: choose one, and run its block alone. Keep the answer: register again only after the access has ended for good (${codeList(endedCodes(ERRORS))}, or a 401 or \`invalid_grant\` that is still there after one exchange and, while a claim token is held, one claim poll), and only if your user, told of it, still wants it.

${registrationTypes(config, trusted, REGISTRATIONS)}

## Claim

A user can claim a registration within ${describeDuration(lifetimes.claimWindow)}.

1. Open a claim attempt.

${lines(
  `ANSWER=$(${post(issuer + PATHS.claim, '{"claim_token":"%s","email":"%s"}', 'CLAIM_TOKEN', 'USER_EMAIL')})`,
  showing(REGISTRATIONS.shown),
)}

${answer(claimSample(config))}

2. Show the user the URL and the code: ${describeCodeFormat(codeFormat)}, shown as ${code(sampleUserCode(codeFormat))}, valid for ${describeDuration(lifetimes.userCode)}. They open the URL, sign in and enter the code.
3. Poll meanwhile. \`expired_token\`: back to step 1, if the user still wants it.

${lines(
  `WAIT=$(member interval); WAIT=\${WAIT:-${seconds(lifetimes.interval)}}`,
  'while sleep "$WAIT"; do',
  `  ANSWER=$(${postForm(issuer + PATHS.token, `grant_type=${claimGrantTypes(config)[0]}&claim_token=%s`, 'CLAIM_TOKEN')} -i)`,
  `  AFTER=$(printf '%s\\n' "$ANSWER" | sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9][0-9]*\\).*/\\1/p')`,
  `  ANSWER=$(printf '%s\\n' "$ANSWER" | sed '1,/^.$/d')`,
  '  case $(member error) in',
  '    authorization_pending) ;;',
  '    slow_down | rate_limited | temporarily_unavailable | server_error) WAIT=$((WAIT + 5)) ;;',
  '    "") [ -z "$(member access_token)" ] || break; WAIT=$((WAIT + 5)) ;; # a 429 or 503 of a gateway',
  '    *) break ;;',
  '  esac',
  `  [ "\${AFTER:-0}" -le "$WAIT" ] || sleep "$((AFTER - WAIT))" # Retry-After of a 429 or 503`,
  'done',
  'keep ACCESS_TOKEN access_token; keep ASSERTION identity_assertion; member error',
)}

${answer(collectedSample(config))}

The assertion is valid for ${describeDuration(lifetimes.claimedAssertion)}; older ones and their tokens stop working.

## Exchange

An access token is valid for ${describeDuration(lifetimes.accessToken)}. Exchange the assertion for the next one. Scopes before a claim: ${codeList(config.scopes.preClaim) || 'none'}. After it: ${codeList(config.scopes.postClaim)}.

${lines(
  `ANSWER=$(${postForm(issuer + PATHS.token, `grant_type=${JWT_BEARER_GRANT}&assertion=%s`, 'ASSERTION')})`,
  'keep ACCESS_TOKEN access_token; member error',
)}

${answer(tokenSample(config))}

${useSection(config, resourceSample(config, exampleResource(config).resource))}

${revokeSection(config)}

## Errors

${errorTable(ERRORS)}
`;
}

const ERRORS = errorRows(['identity', 'claim', 'token', 'revocation', 'resource']);

const SECRETS = ['ANSWER', 'CLAIM_TOKEN', 'ASSERTION', 'ACCESS_TOKEN', 'ID_JAG'];

/** How the skill file reads the answers to registrations. */
const REGISTRATIONS: RegistrationSpelling = {
  claimToken: 'claim_token',
  assertion: 'identity_assertion',
  shown: ['verification_uri', 'user_code'],
  samples: {
    anonymous: anonymousSample,
    service_auth: serviceAuthSample,
    identity_assertion: idJagSample,
  },
};

/** Answers as they look, for the skill file. What is a secret or made up ends in an ellipsis. */

const ASSERTION = { identity_assertion: 'eyJ…', assertion_expires: '2026-01-31T00:00:00.000Z' };

/** The answer to an anonymous registration. */
function anonymousSample({ issuer, scopes }: ServiceConfig): object {
  return {
    ...REGISTRATION,
    registration_type: 'anonymous',
    ...ASSERTION,
    pre_claim_scopes: scopes.preClaim,
    post_claim_scopes: scopes.postClaim,
    ...claimTokenSample(issuer),
  };
}

/** The answer to a registration that its user has to claim first. */
function serviceAuthSample(config: ServiceConfig): object {
  return {
    ...REGISTRATION,
    registration_type: 'service_auth',
    ...claimTokenSample(config.issuer),
    post_claim_scopes: config.scopes.postClaim,
    claim: ceremonySample(config),
  };
}

/** The answer to an ID-JAG that is taken at once. */
function idJagSample({ scopes }: ServiceConfig): object {
  return {
    ...REGISTRATION,
    registration_type: 'identity_assertion',
    ...ASSERTION,
    scopes: scopes.postClaim,
  };
}

/** The answer to the start of a claim. */
function claimSample(config: ServiceConfig): object {
  return {
    ...REGISTRATION,
    claim_attempt_id: 'cla_…',
    status: 'initiated',
    expires_at: '2026-01-01T00:10:00.000Z',
    claim_attempt: ceremonySample(config),
  };
}

/** The answer to the poll after the user completed the claim. */
function collectedSample(config: ServiceConfig): object {
  return { ...tokenSample(config), ...ASSERTION };
}

function claimTokenSample(issuer: string): object {
  return {
    claim_url: issuer + PATHS.claim,
    claim_token: 'clm_…',
    claim_token_expires: '2026-01-02T00:00:00.000Z',
  };
}

function ceremonySample({ codeFormat, issuer, lifetimes }: ServiceConfig): object {
  return {
    user_code: sampleUserCode(codeFormat).replaceAll(' ', ''),
    verification_uri: `${issuer}${PATHS.claimLink}/cat_…`,
    expires_in: seconds(lifetimes.userCode),
    interval: seconds(lifetimes.interval),
  };
}
