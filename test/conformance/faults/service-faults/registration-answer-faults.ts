import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import {
  atIdentity,
  withClaim,
  withLink,
} from '../../../../src/mock-service/faults/registration-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { AUTHORIZATION_SERVER_PATH } from '../../../../src/protocol/urls.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withHeader, withJson, withMembers, withStatus, withoutHeaders } = rewire;

const refusedAt =
  (...paths: readonly string[]) =>
  (path: string, { status }: Response) =>
    status >= 400 && paths.includes(path);

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
  missingVerificationUri: {
    description: 'leaves verification_uri out (RFC 8628 §3.2)',
    answers: on(
      atIdentity,
      withClaim(({ verification_uri: _link, ...claim }) => claim),
    ),
    fails: { anonymous: ['claim-started'], 'service-auth': ['registered'] },
  },
  extraAccessToken: {
    description: 'answers a registration with an access token',
    answers: on(atIdentity, withMembers({ access_token: 'at_no-token-at-all' })),
    fails: { 'registration-answers': ['no-access-token'] },
  },
  wrongRegistrationMediaType: {
    description: 'serves registrations as plain text (RFC 8628 §3.2)',
    answers: on(atIdentity, withHeader('content-type', 'text/plain')),
    fails: { 'registration-answers': ['claim-json'] },
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
    fails: { 'registration-answers': ['times'] },
  },
  wrongRegistrationErrorCode: {
    description: 'refuses registrations and claims with errors of its own (wire contract §3)',
    answers: on(refusedAt(PATHS.identity, PATHS.claim), ownErrors),
    fails: { 'registration-types': ['refusal-status'] },
  },
  missingClaimChallenge: {
    description: 'refuses a claim with 401 and no challenge (RFC 9110 §15.5.2)',
    answers: on(refusedAt(PATHS.claim), withoutHeaders('www-authenticate')),
    fails: { 'claim-start': ['challenge'] },
  },
  wrongPollErrorFormat: {
    description: 'writes the errors of polls in another format (RFC 6749 §5.2)',
    answers: on(
      refusedAt(PATHS.token),
      withJson(({ error }) => ({ error: { code: error } })),
    ),
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
    fails: { polling: ['every-grant'] },
  },
  longVerificationUri: {
    description: 'issues a verification_uri that is too long to type (RFC 8628 §3.3)',
    answers: on(
      atIdentity,
      withLink((link) => `${link}?from=${'agent'.repeat(500)}`),
    ),
    fails: { 'code-format': ['link-length'] },
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
    fails: { 'code-format': ['sign-in-first', 'spelling'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
