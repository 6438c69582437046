import {
  on,
  type Tamper,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';
import { AUTHORIZATION_SERVER_PATH } from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

type Json = Record<string, unknown>;

const atIdentity = (path: string, { status }: Response) =>
  status === 200 && (path === PATHS.identity || path === PATHS.claim);
const refusedAt =
  (...paths: readonly string[]) =>
  (path: string, { status }: Response) =>
    status >= 400 && paths.includes(path);

/** The claim of an answer, changed. */
function withClaim(change: (claim: Json, body: Json) => Json): Tamper {
  return withJson((body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) =>
        (name === 'claim' || name === 'claim_attempt') && typeof value === 'object'
          ? [name, change(value as Json, body)]
          : [name, value],
      ),
    ),
  );
}

const withLink = (change: (link: string, claim: Json, body: Json) => string): Tamper =>
  withClaim((claim, body) => ({
    ...claim,
    verification_uri: change(String(claim['verification_uri']), claim, body),
  }));

const inTurn =
  (...spoils: readonly Tamper[]): Tamper =>
  async (response, request) => {
    let spoiled = response;
    for (const spoil of spoils) spoiled = await spoil(spoiled, request);
    return spoiled;
  };

const ownErrors = inTurn(
  withJson(() => ({ error: { code: 'refused', message: 'No.' } })),
  withStatus(422),
);

export const REGISTRATION_ANSWER_FAULTS = {
  missingClaimToken: {
    description: 'answers an anonymous registration without a claim token',
    answers: on((path) => path === PATHS.identity, withMembers({ claim_token: undefined })),
    breaks: ['AR-DOES-2.service', 'AR-DOES-3', 'AR-STATE-1', 'AR-EP-4.service'],
    fails: { anonymous: ['registered'] },
  },
  missingVerificationUri: {
    description: 'leaves verification_uri out (RFC 8628 §3.2)',
    answers: on(
      atIdentity,
      withClaim(({ verification_uri: _link, ...claim }) => claim),
    ),
    breaks: [
      'AR-OBJ-3.service',
      'AR-OBJ-4',
      'AR-STATE-4.service',
      'AR-EP-5.service',
      'AR-DOES-3',
      'AR-DOES-4.service',
      'AR-STATE-2.service',
      'AR-EP-4.service',
    ],
    fails: { anonymous: ['claim-started'], 'service-auth': ['registered'] },
  },
  extraAccessToken: {
    description: 'answers a registration with an access token',
    answers: on(atIdentity, withMembers({ access_token: 'at_no-token-at-all' })),
    breaks: ['AR-DOES-2.service', 'AMD-02'],
    fails: { 'registration-answers': ['no-access-token'] },
  },
  wrongRegistrationMediaType: {
    description: 'serves registrations as plain text (RFC 8628 §3.2)',
    answers: on(atIdentity, withHeader('content-type', 'text/plain')),
    breaks: ['DEV-01'],
    fails: { 'registration-answers': ['claim-json'] },
  },
  wrongSecondsType: {
    description: 'writes expires_in and interval as strings (RFC 8628 §3.2)',
    answers: on(
      atIdentity,
      withClaim(({ expires_in: end, interval, ...claim }) => ({
        ...claim,
        expires_in: String(end),
        interval: String(interval),
      })),
    ),
    breaks: ['DEV-01', 'W3-09', 'W3-10'],
    fails: { 'registration-answers': ['expires-in', 'interval'] },
  },
  wrongTimeFormat: {
    description: 'writes times as seconds since 1970 (wire contract §3)',
    answers: on(
      atIdentity,
      withJson(({ claim_token_expires: end, ...body }) => ({
        ...body,
        claim_token_expires: Math.floor(Date.parse(String(end)) / 1000),
      })),
    ),
    breaks: ['W3-06'],
    fails: { 'registration-answers': ['times'] },
  },
  wrongRegistrationErrorCode: {
    description: 'refuses registrations and claims with errors of its own (wire contract §3)',
    answers: on(refusedAt(PATHS.identity, PATHS.claim), ownErrors),
    breaks: ['AMD-01'],
    fails: { 'registration-types': ['refusal-status'] },
  },
  missingClaimChallenge: {
    description: 'refuses a claim with 401 and no challenge (RFC 9110 §15.5.2)',
    answers: on(refusedAt(PATHS.claim), withoutHeaders('www-authenticate')),
    breaks: ['W4-24'],
    fails: { 'claim-start': ['challenge'] },
  },
  wrongPollErrorFormat: {
    description: 'writes the errors of polls in another format (RFC 6749 §5.2)',
    answers: on(
      refusedAt(PATHS.token),
      withJson(({ error }) => ({ error: { code: error } })),
    ),
    breaks: ['DEV-17'],
    fails: { polling: ['shape'] },
  },
  extraClaimGrant: {
    description: 'lists a claim grant that it does not accept (RFC 8414 §2)',
    answers: on(
      (path) => path === AUTHORIZATION_SERVER_PATH,
      withJson(({ grant_types_supported: grants, ...body }) => ({
        ...body,
        grant_types_supported: [
          ...(Array.isArray(grants) ? grants : []),
          'urn:elsewhere:agent-auth:grant-type:claim',
        ],
      })),
    ),
    breaks: ['W1-01'],
    fails: { polling: ['every-grant'] },
  },
  exposedUserCodeInLink: {
    description: 'puts the user code into verification_uri (RFC 8628 §3.3)',
    answers: on(
      atIdentity,
      withLink((link, claim) => `${link}?user_code=${String(claim['user_code'])}`),
    ),
    breaks: ['DEV-11', 'W4-16'],
    fails: { 'code-format': ['code-hidden'] },
  },
  exposedClaimTokenInLink: {
    description: 'puts the claim token into verification_uri (attack A-18)',
    answers: on(
      atIdentity,
      withLink((link, _claim, body) => `${link}?of=${String(body['claim_token'])}`),
    ),
    breaks: ['A-18.service', 'DEV-14'],
    fails: { 'code-format': ['claim-token-hidden'] },
  },
  longVerificationUri: {
    description: 'issues a verification_uri that is too long to type (RFC 8628 §3.3)',
    answers: on(
      atIdentity,
      withLink((link) => `${link}?from=${'agent'.repeat(500)}`),
    ),
    breaks: ['DEV-11'],
    fails: { 'code-format': ['link-length'] },
  },
  wrongVerificationUri: {
    description: 'issues a verification_uri at another origin',
    answers: on(
      atIdentity,
      withLink((link) => link.replace(/:\d+\//, ':9/')),
    ),
    breaks: ['W4-17'],
    fails: { 'code-format': ['link-address'] },
  },
  wrongUserCodeAlphabet: {
    description: 'makes user codes from characters that look alike (RFC 8628 §6.1)',
    answers: on(
      atIdentity,
      withClaim((claim) => ({
        ...claim,
        user_code: String(claim['user_code']).replace(/^../, 'O0'),
      })),
    ),
    breaks: ['DEV-16', 'DEV-13', 'W4-14'],
    fails: { 'code-format': ['look-alikes', 'unpredictable', 'spelling'] },
  },
  extraPromptBeforeSignIn: {
    description: 'asks for the user code before a user is signed in',
    answers: on(
      (path, { status }, { method }) => method === 'GET' && path === PATHS.login && status === 200,
      async (response) => {
        const form = '<form method="post"><input name="user_code"></form></main>';
        const text = (await response.text()).replace('</main>', form);
        return new Response(text, { status: response.status, headers: response.headers });
      },
    ),
    breaks: ['W4-17', 'DEV-16', 'W4-14'],
    fails: { 'code-format': ['sign-in-first', 'spelling'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
