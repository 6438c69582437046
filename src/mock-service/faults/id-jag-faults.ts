import {
  type AnswerFault,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly with the ID-JAGs of providers. */
export const ID_JAG_FAULTS = {
  noneAccepted: 'takes a JWT with alg none (RFC 8725 §3.2)',
  hmacWithPublicKey: 'takes an HMAC made with a public key (RFC 8725 §2.1)',
  zeroSignatureAccepted: 'takes an ECDSA signature of zeros (RFC 8725 §3.4)',
  headerKeyTrusted: 'verifies with the key that a header brings along (RFC 8725 §3.10, jwk, x5c)',
  jkuTrusted: 'fetches the key that a header names (RFC 8725 §3.10, jku)',
  certificateFetched: 'fetches the certificate that a header names (RFC 8725 §3.10, x5u)',
  kidLookedUpCarelessly:
    'finds the names of every object as kid, and then verifies nothing (RFC 8725 §3.10)',
  kidLeadsToSecret: 'finds an HMAC secret in the file or by the query that a kid is (attack A-06)',
  criticalIgnored: 'ignores critical header members (RFC 7515 §4.1.11)',
  unencodedAccepted: 'takes a signature over an unencoded payload (RFC 7797 §6)',
  lenientBase64: 'reads padded, broken and plain base64 in a JWT (RFC 7515 §2)',
  firstMemberWins: 'reads the first of two members of a JWT (RFC 7519 §4)',
  jsonSerializationAccepted: 'takes the JSON form of a signed token (RFC 7523 §2.1)',
  unstorableTextAccepted: 'takes claims with U+0000 and half characters (wire.md §3)',
  typeUnchecked: 'takes a JWT of any typ (RFC 8725 §3.11)',
  typeSpelledStrictly: 'takes a typ in one spelling alone (RFC 7515 §4.1.9)',
  onlyEs256: 'takes ES256 alone (wire.md §3)',
  keysOfAllIssuers: 'tries the keys of every trusted issuer (RFC 8725 §3.8)',
  kidGlobal: 'keeps the keys of all issuers under their kid alone (RFC 8725 §3.8)',
  encryptionKeyAccepted: 'verifies with a key for encryption (RFC 7517 §4.2)',
  keyOpsIgnored: 'verifies with a key whose key_ops leave it out (RFC 7517 §4.3)',
  keyAlgorithmIgnored: 'uses a key with another algorithm than it is for (RFC 7517 §4.4)',
  keyTypeIgnored: 'lets the key decide on the algorithm that a header names (RFC 8725 §3.1)',
  smallRsaAccepted: 'verifies with RSA keys of 1024 bits (RFC 7518 §3.3)',
  oddKeySpoilsSet: 'throws a key set away for one key that it cannot read (RFC 7517 §5)',
  rotationIgnored: 'never fetches a key set again (RFC 7517 §8.5)',
  withdrawnKeyKept: 'keeps keys that their issuer took back (RFC 7517 §8.5)',
  fetchForEachKid: 'fetches the key set for each unknown kid (attack A-40)',
  fetchWithoutPause: 'fetches the key set again as soon as the last fetch is over (attack A-40)',
  fetchForTwentyKids: 'fetches the key set twenty times for unknown kids (attack A-40)',
  failureRemembered: 'remembers for a day that a key set could not be fetched',
  unverifiableAccepted: 'takes a JWT unverified when the keys cannot be fetched (RFC 7515 §5.2)',
  outageIsRefusal: 'calls a signature wrong when the keys cannot be fetched (wire.md §3)',
  strangerTrusted: 'trusts whoever publishes keys (RFC 7523 §3, iss)',
  strangerFetched:
    'fetches the keys of an issuer before it knows whether to trust it (attack A-09)',
  subIdTrusted: 'trusts an issuer because sub_id names a trusted one (ID-JAG draft §9.5)',
  issuerByPrefix: 'compares the beginning of an issuer alone (RFC 7523 §3, iss)',
  issuerUnbound: 'takes any name of an issuer with the keys of a trusted one (RFC 8725 §3.8)',
  claimedKeysFetched: 'fetches the key set that a claim names (attack A-09)',
  clientDocumentFetched: 'fetches the client document that a token names (attack A-09)',
  audienceByPrefix: 'compares the beginning of the audience alone (RFC 7523 §3, aud)',
  anyOfAudiences: 'takes an ID-JAG for several audiences (ID-JAG draft §4.4.1)',
  audienceListRefused: 'refuses a list with its issuer alone as audience (ID-JAG draft §4.4.1)',
  resourceIsAudience: 'takes the address of a resource as audience (ID-JAG draft §4.4.1)',
  expiryUnchecked: 'takes an ID-JAG whose exp is over (RFC 7523 §3, exp)',
  notBeforeUnchecked: 'takes an ID-JAG before its nbf (RFC 7523 §3, nbf)',
  issuedLaterAccepted: 'takes an ID-JAG from the future (RFC 7523 §3, iat)',
  timesAsText: 'reads times that are text (RFC 7519 §2)',
  fractionsRefused: 'refuses times with fractions (RFC 7519 §2)',
  longLifeAccepted: 'takes an ID-JAG that lives for years (wire.md, before §1)',
  noSkew: 'grants no difference of clocks (wire.md, before §1)',
  jtiOptional: 'takes an ID-JAG without jti (ID-JAG draft §3.1)',
  issuedAtOptional: 'takes an ID-JAG without iat or client_id (ID-JAG draft §3.1)',
  subjectOfAnyType: 'takes a subject of any JSON type (RFC 7519 §4.1.2)',
  optionalTypesUnchecked: 'ignores optional claims of the wrong JSON type (ID-JAG draft §3.1)',
  unknownClaimsRefused: 'refuses claims that it does not know (RFC 7519 §4)',
  clientUnchecked: 'takes an ID-JAG for a client of somebody else (ID-JAG draft §4.4.1)',
  maxAgeUntrue: 'says a shorter max_age than it judges by (wire.md §3)',
  unverifiedAccepted: 'takes an address that its provider did not verify (wire.md §3)',
  unverifiedLinked: 'links an account by an address that nobody verified (attack A-20)',
  oddAddressAccepted: 'mends an address that is none (wire.md §3)',
  lookAlikeLinked: 'links an account by an address that resembles its own (attack A-21)',
  emailCaseTold: 'takes an address in capitals for another one (wire.md §3)',
  phoneRefused: 'takes no phone number for an address (wire.md §3)',
  phoneBeforeEmail: 'asks the account of the phone number before that of the email (wire.md §3)',
  idJagsRefused: 'refuses every ID-JAG',
  newUsersAsked: 'asks users whom nobody here knows (wire.md §3)',
  registrationEachTime: 'makes a registration for each ID-JAG of a user (wire.md §3)',
  earlierAssertionsEnd: 'ends earlier assertions with each ID-JAG (wire.md §3)',
  knownAskedAgain: 'asks a user who has agreed already (wire.md §3)',
  subjectOfAnyIssuer: 'takes the subjects of all providers for one (RFC 8725 §3.8)',
  subjectOfAnyTenant: 'takes the subjects of all tenants for one (ID-JAG draft §3.1)',
  oneSubjectAnIssuer: 'takes all subjects of a provider for one (RFC 7523 §3, sub)',
  subjectByAddress: 'knows a user of a provider by the address alone (attack A-20)',
  subjectWithAddress: 'takes a subject whose address changed for somebody else (wire.md §3)',
  scopeClaimIgnored: 'ignores the scope of an ID-JAG (wire.md §3)',
  foreignScopeWidened: 'grants everything where an ID-JAG names foreign scopes alone (wire.md §3)',
  resourceClaimUnchecked: 'takes an ID-JAG for a foreign resource (wire.md §3)',
  resourceClaimRefused: 'refuses an ID-JAG that names a resource (wire.md §3)',
  resourceClaimUnbound: 'does not bind tokens to the resource of an ID-JAG (wire.md §3)',
  confirmationBegunAnew: 'begins anew with each ID-JAG that waits for its user (wire.md §3)',
  claimTokenNotReplaced:
    'goes on with the claim token of before, and not with the new one (wire.md §3)',
  deniedLinks: 'lets the next ID-JAG in after its user has denied (attack A-20)',
  addressLookedAtFirst: 'looks at the address before the audience (wire.md §3)',
  replayToldBySignature: 'tells a replay by the bytes of the signature (attack A-03)',
  replayRace: 'looks for a used jti before it writes, not while (attack A-10)',
  jtiOfAnyIssuer: 'takes the jti of another issuer for a replay (RFC 7519 §4.1.7)',
  jtiForgotten: 'forgets a used jti after a minute (RFC 7523 §3)',
  forgedJtiBurnt: 'uses the jti of a forged ID-JAG up (wire.md §3)',
  refusedJtiBurnt: 'uses the jti of a refused ID-JAG up (wire.md §3)',
  ownAssertionTaken: 'takes its own assertion for an ID-JAG (RFC 8725 §3.12)',
  accessTokenTaken: 'takes an access token for an ID-JAG (RFC 8725 §3.12)',
  assertionTypeDemanded: 'refuses an ID-JAG without assertion_type (wire.md §3)',
} as const satisfies Readonly<Record<string, string>>;

const IDENTITY = '/agent/identity';
const TOKEN = '/oauth2/token';
const REFUSED = (path: string, { status }: Response) => path === IDENTITY && status >= 400;

/** What it can be told to answer wrongly with the ID-JAGs of providers. */
export const ID_JAG_ANSWER_FAULTS = {
  oversizedTaken: {
    says: 'takes a JWT of any size (RFC 8725 §3.6)',
    at: (path, { status }) =>
      status === 413 && (path === IDENTITY || path === '/agent/event/notify'),
    spoil: withStatus(202),
  },
  idJagAnswerBare: {
    says: 'does not say which registration and scopes an ID-JAG led to (wire.md §3)',
    at: (path, { status }) => path === IDENTITY && status === 200,
    spoil: withMembers({ registration_type: undefined, scopes: undefined }),
  },
  exchangeRefused: {
    says: 'refuses every exchange (RFC 6749 §5.1)',
    at: (path, { status }) => path === TOKEN && status === 200,
    spoil: withStatus(400),
  },
  scopeUntold: {
    says: 'does not say the granted scope (ID-JAG draft §4.4.1)',
    at: (path) => path === TOKEN,
    spoil: withMembers({ scope: undefined }),
  },
  refreshTokenAcrossDomains: {
    says: 'gives a refresh token for an ID-JAG (RFC 7521 §4.1)',
    at: (path, { status }) => path === TOKEN && status === 200,
    spoil: withMembers({ refresh_token: 'rt_conformance' }),
  },
  anyGrantPays: {
    says: 'gives an access token for any JWT at its token endpoint (RFC 8725 §3.12)',
    at: (path, { status }) => path === TOKEN && status === 400,
    spoil: async (response) =>
      Response.json({ access_token: 'at_conformance' }, { headers: response.headers }),
  },
  accessTokenUntyped: {
    says: 'gives JWTs as access tokens that do not say what they are (RFC 9068 §2)',
    at: (path, { status }) => path === TOKEN && status === 200,
    // {"alg":"ES256"} and {"sub":"x"}, which nobody can use.
    spoil: withMembers({ access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.AAAA' }),
  },
  changedTokensTaken: {
    says: 'takes access tokens that it did not issue (RFC 6750 §3.1)',
    at: (path, { status }, request) =>
      path.startsWith('/api/') && status === 401 && request.headers.has('authorization'),
    spoil: withStatus(200),
  },
  anyJwtIsBearer: {
    says: 'takes any JWT as access token (RFC 8725 §3.12)',
    at: (path, { status }, request) =>
      path.startsWith('/api/') &&
      status === 401 &&
      (request.headers.get('authorization') ?? '').startsWith('Bearer eyJ'),
    spoil: withStatus(200),
  },
  missingAssertionTaken: {
    says: 'answers a registration without assertion with success (wire.md §3)',
    at: REFUSED,
    spoil: withStatus(200),
  },
  loginRequiredWithoutAge: {
    says: 'does not say max_age with login_required (wire.md §3)',
    at: (path, { status }) => path === IDENTITY && status === 401,
    spoil: withMembers({ max_age: undefined }),
  },
  noIdentityChallenge: {
    says: 'answers 401 without a challenge (RFC 9110 §15.5.2)',
    at: REFUSED,
    spoil: withoutHeaders('www-authenticate'),
  },
  challengeOfResource: {
    says: 'sends an agent that has to sign in back to discovery (wire.md §3)',
    at: (path, { status }) => path === IDENTITY && status === 401,
    spoil: withHeader('www-authenticate', 'Bearer resource_metadata="http://127.0.0.1/"'),
  },
  oneCodeForAll: {
    says: 'calls every mistake of an ID-JAG invalid_request (wire.md §3)',
    at: (path, { status }) => path === IDENTITY && status === 400,
    spoil: withMembers({ error: 'invalid_request' }),
  },
  refusalWithoutText: {
    says: 'says no error_description and no message (wire.md §3)',
    at: REFUSED,
    spoil: withMembers({ error_description: undefined, message: undefined }),
  },
  refusalAsText: {
    says: 'calls the JSON of a refusal text (RFC 6749 §5.2)',
    at: REFUSED,
    spoil: withHeader('content-type', 'text/plain'),
  },
  refusalCacheable: {
    says: 'lets a refused registration be cached (wire.md §3)',
    at: REFUSED,
    spoil: withHeader('cache-control', 'max-age=60'),
  },
  confirmationByOtherCode: {
    says: 'asks the owner of an account under another error code (wire.md §3)',
    at: (path, { status }) => path === IDENTITY && status === 401,
    spoil: withJson((body) =>
      body['error'] === 'interaction_required' ? { ...body, error: 'owner_must_agree' } : body,
    ),
  },
  confirmationBare: {
    says: 'does not say when the claim of a confirmation ends (wire.md §3)',
    at: (path, { status }) => path === IDENTITY && status === 401,
    spoil: withMembers({ claim_url: undefined, claim_token_expires: undefined }),
  },
  denialUntold: {
    says: 'goes on saying authorization_pending after a denial (RFC 8628 §3.5)',
    at: (path, { status }) => path === TOKEN && status === 400,
    spoil: withJson((body) =>
      body['error'] === 'access_denied' ? { ...body, error: 'authorization_pending' } : body,
    ),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
