import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import { atBadToken } from '../../../../src/mock-service/faults/resource-faults.ts';
import { atGranted } from '../../../../src/mock-service/faults/token-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withHeader, withMembers, withStatus } = rewire;

const atRevoked = (path: string, response: Response) =>
  path === '/oauth2/revoke' && response.status === 200;

const atNarrow = (path: string, response: Response) =>
  path.startsWith('/api/resource') && response.status === 403;

function inChallenge(change: (field: string) => string): Tamper {
  return (response) => {
    const field = response.headers.get('www-authenticate') ?? '';
    response.headers.set('www-authenticate', change(field));
    return response;
  };
}

/** Faults: what it answers wrongly at its token and revocation endpoints and with access tokens. */
export const TOKEN_ANSWER_FAULTS = {
  wrongTokenStatus: {
    description: 'answers 201 with a token (RFC 6749 §5.1)',
    answers: on(atGranted, withStatus(201)),
    fails: { exchange: ['granted', 'unknown-parameters', 'empty-values'] },
  },
  longTokenLifetime: {
    description: 'issues tokens that live for a month',
    answers: on(atGranted, withMembers({ expires_in: 30 * 24 * 3600 })),
    fails: { exchange: ['short-lived'] },
  },
  missingTokenScope: {
    description: 'leaves scope out of a token answer',
    answers: on(atGranted, withMembers({ scope: undefined })),
    fails: { exchange: ['scope'] },
  },
  extraRefreshToken: {
    description: 'issues refresh tokens (RFC 7521 §4.1)',
    answers: on(atGranted, withMembers({ refresh_token: 'rt_of-the-fault' })),
    fails: { exchange: ['no-refresh-token'] },
  },
  wrongRevocationStatus: {
    description: 'answers a revocation with 202 (RFC 7009 §2.2)',
    answers: on(atRevoked, withStatus(202)),
    fails: { revocation: ['taken'] },
  },
  wrongClientChallenge: {
    description: 'refuses client credentials with the challenge of another scheme (RFC 6749 §5.2)',
    answers: on(
      (path, response) => path.startsWith('/oauth2/') && response.status === 401,
      withHeader('www-authenticate', 'Custom realm="oauth2"'),
    ),
    fails: { 'client-authentication': ['challenge'] },
  },
  wrongAssertionAlg: {
    description: 'marks its assertions as signed with an HMAC',
    answers: on(
      (path, response) => path === '/agent/identity' && response.status === 200,
      async (response) => {
        const { identity_assertion, ...rest } = (await response.json()) as Record<string, string>;
        const [header = '', ...others] = (identity_assertion ?? '').split('.');
        const said = JSON.parse(Buffer.from(header, 'base64url').toString()) as object;
        const other = Buffer.from(JSON.stringify({ ...said, alg: 'HS256' })).toString('base64url');
        return Response.json({ ...rest, identity_assertion: [other, ...others].join('.') });
      },
    ),
    fails: { 'identity-assertion': ['signed'] },
  },
  wrongBadTokenStatus400: {
    description: 'answers a bad token with 400 (RFC 6750 §3.1)',
    answers: on(atBadToken, withStatus(400)),
    fails: { 'bearer-errors': ['status'] },
  },
  wrongChallengeCharacters: {
    description: 'writes characters into its challenge that are not allowed there (RFC 6750 §3)',
    answers: on(
      atBadToken,
      inChallenge((field) => `${field}, error_description="ung\u00fcltig"`),
    ),
    fails: { 'bearer-errors': ['characters'] },
  },
  wrongInsufficientScopeStatus: {
    description: 'answers insufficient scope with 401 (RFC 6750 §3.1)',
    answers: on(atNarrow, withStatus(401)),
    fails: { 'insufficient-scope': ['status'] },
  },
  wrongInsufficientScopeCode: {
    description: 'answers insufficient scope with access_denied (RFC 6750 §3.1)',
    answers: on(
      atNarrow,
      inChallenge((field) => field.replace('insufficient_scope', 'access_denied')),
    ),
    fails: { 'insufficient-scope': ['code'] },
  },
  missingInsufficientScopeHint: {
    description:
      'leaves the URL of its metadata out of the challenge to insufficient scope (RFC 9728 §5.1)',
    answers: on(
      atNarrow,
      inChallenge((field) => field.replace(/resource_metadata="[^"]*",? */, '')),
    ),
    fails: { 'insufficient-scope': ['metadata-hint'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
