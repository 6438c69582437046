import { type AnswerFault, withHeader, withMembers, withStatus } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly at its token and revocation endpoints and with access tokens. */
export const TOKEN_FAULTS = {
  schemeCaseCounts: 'knows the scheme Bearer in one spelling alone (RFC 9110 §11.1)',
  queryTokensTaken: 'takes access tokens in addresses (RFC 9700 §4.3.2)',
  bodyTokensTaken: 'takes access tokens in bodies, which it does not advertise (RFC 9728 §2)',
  firstCredentialTaken: 'takes the first of two Authorization fields (RFC 6750 §3.1)',
  anyTokenTaken: 'finds some token for every token (RFC 6750 §3.1)',
  tokensCutOff: 'keeps the beginning of a token alone, and compares that',
  revokedTold: 'says of a revoked token that it is over (RFC 6750 §3.1)',
  malformedTold: 'says of a malformed token that it is one',
  badTokenErrorless: 'says no error about a bad token (RFC 6750 §3.1)',
  scopeUnchecked: 'writes for a token that can only read (RFC 6750 §3.1)',
  readRefused: 'asks for more scope than reading takes',
  neededScopeUntold: 'does not say which scope a call takes (RFC 6750 §3.1)',
  tokensEndEarly: 'ends access tokens before their time (RFC 6749 §4.2.2, expires_in)',
  expiryTold: 'says of a token that is over that it is over',
  tokensEndless: 'takes access tokens after their end (RFC 6749 §4.2.2, expires_in)',
  jwtAccessTokens: 'gives JWTs as access tokens, of no type and for nobody (RFC 9068 §2)',
  tokensCounted: 'counts its access tokens (RFC 6749 §10.10)',
  tokensShort: 'gives short access tokens (RFC 6749 §10.10)',
  unknownParametersRefused: 'refuses parameters that it does not know (RFC 6749 §3.2)',
  missingMiscalled: 'has other codes than invalid_request for a missing parameter (RFC 6749 §5.2)',
  assertionMiscalled: 'answers a bad assertion with invalid_request (RFC 6749 §5.2)',
  firstAssertionTaken: 'takes one assertion of several, and JWTs in JSON (RFC 7523 §2.1)',
  clientSecretsPassedOver: 'passes over wrong credentials of a client (RFC 7523 §3.1)',
  clientMiscalled: 'answers wrong credentials of a client with invalid_request (RFC 6749 §5.2)',
  clientIdsRefused: 'refuses a client_id that it does not know',
  assertionsUnverified: 'does not verify the signature of its own assertions (RFC 7523 §3)',
  unsignedAssertionTaken: 'takes its assertions with alg none (attack A-01)',
  hmacAssertionTaken: 'takes its assertions with an HMAC (attack A-02)',
  assertionKeyTrusted: 'trusts the key that an assertion brings along (attack A-04)',
  assertionKidOptional: 'takes an assertion without a kid unverified',
  tokensAsAssertions: 'takes an access token for an assertion (RFC 8725 §3.12)',
  assertionsEndless: 'takes its assertions after their end (RFC 7523 §3, exp)',
  assertionsAsIdJags: 'gives its assertions the type of an ID-JAG (RFC 8725 §3.12)',
  issuerSpelledTwice: 'spells its issuer another way in assertions than in metadata',
  assertionForAnybody: 'has another audience than itself in its assertions',
  assertionsStale: 'signs assertions that have ended already',
  oneSubject: 'has one subject for all registrations (RFC 9700 §4.15)',
  versionUnsaid: 'does not say the version of an assertion',
  assertionsSignedOtherwise: 'signs its assertions with no key that it publishes',
  narrowingIgnored: 'gives every scope whatever was asked for',
  unknownScopesGiven: 'gives scopes that do not exist (RFC 6749 §3.3)',
  unknownScopesPassedOver: 'passes over scopes without a word (RFC 6749 §5.1)',
  askedScopeRefused: 'refuses every scope that is asked for by name',
  scopeMiscalled: 'answers a list of scopes with invalid_request',
  anyTargetTaken: 'gives tokens for a resource that is not its own (RFC 8707 §2)',
  targetsRefused: 'refuses every resource that is asked for (RFC 8707 §2)',
  targetMiscalled: 'answers a foreign resource with invalid_request (RFC 8707 §2)',
  baseRefused: 'does not know its own base address as a resource',
  resourceUnbound: 'takes a token at every resource (RFC 8707 §2.2)',
  boundExactly: 'takes a token at the one address that it is for, not below it',
  tokenlessRevocationTaken: 'answers a revocation of nothing with 200 (RFC 7009 §2.1)',
  assertionRevocationTaken: 'answers the revocation of an assertion with 200 and revokes nothing',
  unknownRevocationRefused: 'answers the revocation of an unknown token with 400 (RFC 7009 §2.2)',
  hintBelieved: 'looks for a token only where the hint says (RFC 7009 §2.1)',
  revocationSpreads: 'revokes every token of a registration with one',
  revocationEndsAssertion: 'ends the assertion with a token',
} as const satisfies Readonly<Record<string, string>>;

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

function inChallenge(change: (field: string) => string): AnswerFault['spoil'] {
  return (response) => {
    const field = response.headers.get('www-authenticate') ?? '';
    response.headers.set('www-authenticate', change(field));
    return response;
  };
}

/** What it can be told to answer wrongly at its token and revocation endpoints and with access tokens. */
export const TOKEN_ANSWER_FAULTS = {
  tokensCreated: {
    says: 'answers 201 with a token (RFC 6749 §5.1)',
    at: atGranted,
    spoil: withStatus(201),
  },
  tokensAsText: {
    says: 'sends tokens as text (RFC 6749 §5.1)',
    at: atGranted,
    spoil: withHeader('content-type', 'text/plain'),
  },
  tokenTypeUnsaid: {
    says: 'does not say the type of a token (RFC 6749 §5.1)',
    at: atGranted,
    spoil: withMembers({ token_type: undefined }),
  },
  lifetimeAsText: {
    says: 'writes the lifetime of a token as text (RFC 6749 §5.1)',
    at: atGranted,
    spoil: withMembers({ expires_in: '3600' }),
  },
  tokensLongLived: {
    says: 'gives tokens for a month',
    at: atGranted,
    spoil: withMembers({ expires_in: 30 * 24 * 3600 }),
  },
  scopeUnsaid: {
    says: 'does not say the scope of a token',
    at: atGranted,
    spoil: withMembers({ scope: undefined }),
  },
  refreshTokenGiven: {
    says: 'gives refresh tokens (RFC 7521 §4.1)',
    at: atGranted,
    spoil: withMembers({ refresh_token: 'rt_of-the-fault' }),
  },
  tokensByGet: {
    says: 'answers GET at the token endpoint with a token (RFC 6749 §3.2)',
    at: (path, _response, request) => path === '/oauth2/token' && request.method === 'GET',
    spoil: () => Response.json({ access_token: 'at_of-the-fault', token_type: 'Bearer' }),
  },
  revocationByGet: {
    says: 'answers GET at the revocation endpoint (RFC 7009 §2.3)',
    at: (path, _response, request) => path === '/oauth2/revoke' && request.method === 'GET',
    spoil: withStatus(200),
  },
  revocationTalks: {
    says: 'answers a revocation with a body',
    at: atRevoked,
    spoil: () => Response.json({ revoked: true }),
  },
  revocationAccepted: {
    says: 'answers a revocation with 202 (RFC 7009 §2.2)',
    at: atRevoked,
    spoil: withStatus(202),
  },
  clientsUnchallenged: {
    says: 'refuses a client without a challenge of the scheme that it used (RFC 6749 §5.2)',
    at: (path, response) => path.startsWith('/oauth2/') && response.status === 401,
    spoil: withHeader('www-authenticate', 'Custom realm="oauth2"'),
  },
  hmacAssertions: {
    says: 'marks its assertions as signed with a shared secret',
    at: (path, response) => path === '/agent/identity' && response.status === 200,
    spoil: async (response) => {
      const { identity_assertion, ...rest } = (await response.json()) as Record<string, string>;
      const [header = '', ...others] = (identity_assertion ?? '').split('.');
      const said = JSON.parse(Buffer.from(header, 'base64url').toString()) as object;
      const other = Buffer.from(JSON.stringify({ ...said, alg: 'HS256' })).toString('base64url');
      return Response.json({ ...rest, identity_assertion: [other, ...others].join('.') });
    },
  },
  badTokensForbidden: {
    says: 'answers a bad token with 403 (RFC 6750 §3.1)',
    at: atBadToken,
    spoil: withStatus(403),
  },
  badTokensBadRequest: {
    says: 'answers every bad token with 400 (RFC 6750 §3.1)',
    at: atBadToken,
    spoil: withStatus(400),
  },
  challengeTextForeign: {
    says: 'has letters in its challenge that are not allowed there (RFC 6750 §3)',
    at: atBadToken,
    spoil: inChallenge((field) => `${field}, error_description="ung\u00fcltig"`),
  },
  narrowAsUnauthorized: {
    says: 'answers a token with too little scope with 401 (RFC 6750 §3.1)',
    at: atNarrow,
    spoil: withStatus(401),
  },
  narrowMiscalled: {
    says: 'answers a token with too little scope as access_denied (RFC 6750 §3.1)',
    at: atNarrow,
    spoil: inChallenge((field) => field.replace('insufficient_scope', 'access_denied')),
  },
  narrowHintless: {
    says: 'does not say where its metadata is when a scope is too narrow (RFC 9728 §5.1)',
    at: atNarrow,
    spoil: inChallenge((field) => field.replace(/resource_metadata="[^"]*",? */, '')),
  },
  scopesOfItsOwn: {
    says: 'calls its scopes otherwise than the wire contract',
    at: (path, response) => path === '/agent/identity' && response.status === 200,
    spoil: withMembers({ pre_claim_scopes: ['read'] }),
  },
  resourceBare: {
    says: 'answers a call without saying whose registration it is',
    at: (path, response) => path.startsWith('/api/resource') && response.status === 200,
    spoil: withMembers({ registration_id: undefined }),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
