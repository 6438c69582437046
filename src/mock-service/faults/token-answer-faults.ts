import { on, type Tamper, withHeader, withMembers, withStatus } from '../../mock/index.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const atGranted = (path: string, response: Response) =>
  path === '/oauth2/token' && response.status === 200;

const atRevoked = (path: string, response: Response) =>
  path === '/oauth2/revoke' && response.status === 200;

const atBadToken = (path: string, response: Response, request: Request) =>
  path.startsWith('/api/resource') &&
  response.status === 401 &&
  request.headers.has('authorization');

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
    breaks: ['AR-EP-7.service', 'TOK-03', 'W6-04', 'TOK-02'],
    fails: { exchange: ['granted', 'unknown-parameters', 'empty-values'] },
  },
  wrongTokenMediaType: {
    description: 'serves tokens as plain text (RFC 6749 §5.1)',
    answers: on(atGranted, withHeader('content-type', 'text/plain')),
    breaks: ['TOK-03'],
    fails: { exchange: ['media-type'] },
  },
  missingTokenType: {
    description: 'leaves token_type out (RFC 6749 §5.1)',
    answers: on(atGranted, withMembers({ token_type: undefined })),
    breaks: ['TOK-03', 'W6-04'],
    fails: { exchange: ['token-type'] },
  },
  wrongExpiresInType: {
    description: 'writes expires_in as a string (RFC 6749 §5.1)',
    answers: on(atGranted, withMembers({ expires_in: '3600' })),
    breaks: ['W6-05'],
    fails: { exchange: ['expires-in'] },
  },
  longTokenLifetime: {
    description: 'issues tokens that live for a month',
    answers: on(atGranted, withMembers({ expires_in: 30 * 24 * 3600 })),
    breaks: ['BCP-05'],
    fails: { exchange: ['short-lived'] },
  },
  missingTokenScope: {
    description: 'leaves scope out of a token answer',
    answers: on(atGranted, withMembers({ scope: undefined })),
    breaks: ['W6-05'],
    fails: { exchange: ['scope'] },
  },
  extraRefreshToken: {
    description: 'issues refresh tokens (RFC 7521 §4.1)',
    answers: on(atGranted, withMembers({ refresh_token: 'rt_of-the-fault' })),
    breaks: ['W6-06', 'TOK-11'],
    fails: { exchange: ['no-refresh-token'] },
  },
  wrongRevocationStatus: {
    description: 'answers a revocation with 202 (RFC 7009 §2.2)',
    answers: on(atRevoked, withStatus(202)),
    breaks: ['REV-02', 'AR-EP-9.service', 'AR-AUTH-5.service'],
    fails: { revocation: ['taken'] },
  },
  wrongClientChallenge: {
    description: 'refuses client credentials with the challenge of another scheme (RFC 6749 §5.2)',
    answers: on(
      (path, response) => path.startsWith('/oauth2/') && response.status === 401,
      withHeader('www-authenticate', 'Custom realm="oauth2"'),
    ),
    breaks: ['TOK-06'],
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
    breaks: ['AR-OBJ-2', 'ASM-08-SIGNS'],
    fails: { 'identity-assertion': ['signed'] },
  },
  wrongBadTokenStatus403: {
    description: 'answers a bad token with 403 (RFC 6750 §3.1)',
    answers: on(atBadToken, withStatus(403)),
    breaks: ['AR-ERR-1'],
    fails: { 'bearer-errors': ['refused', 'altered'] },
  },
  wrongBadTokenStatus400: {
    description: 'answers a bad token with 400 (RFC 6750 §3.1)',
    answers: on(atBadToken, withStatus(400)),
    breaks: ['BRR-07'],
    fails: { 'bearer-errors': ['status'] },
  },
  wrongChallengeCharacters: {
    description: 'writes characters into its challenge that are not allowed there (RFC 6750 §3)',
    answers: on(
      atBadToken,
      inChallenge((field) => `${field}, error_description="ung\u00fcltig"`),
    ),
    breaks: ['BRR-09'],
    fails: { 'bearer-errors': ['characters'] },
  },
  wrongInsufficientScopeStatus: {
    description: 'answers insufficient scope with 401 (RFC 6750 §3.1)',
    answers: on(atNarrow, withStatus(401)),
    breaks: ['BRR-08', 'W2-16'],
    fails: { 'insufficient-scope': ['status'] },
  },
  wrongInsufficientScopeCode: {
    description: 'answers insufficient scope with access_denied (RFC 6750 §3.1)',
    answers: on(
      atNarrow,
      inChallenge((field) => field.replace('insufficient_scope', 'access_denied')),
    ),
    breaks: ['BRR-08', 'W2-16'],
    fails: { 'insufficient-scope': ['code'] },
  },
  missingInsufficientScopeHint: {
    description:
      'leaves the URL of its metadata out of the challenge to insufficient scope (RFC 9728 §5.1)',
    answers: on(
      atNarrow,
      inChallenge((field) => field.replace(/resource_metadata="[^"]*",? */, '')),
    ),
    breaks: ['PRM-09'],
    fails: { 'insufficient-scope': ['metadata-hint'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
