import { on, replacing, wireProblem, withJson, withMembers } from '../../mock/index.ts';
import { decodeJwt, JWT_BEARER_GRANT } from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import type { BuiltInProviderFault, Rewired } from './provider-fault.ts';
import { ageless, both, omitting, unasked } from './redeciding.ts';
import { exchanging } from './rewiring.ts';
import { tradeGrant } from './trade-grant.ts';

/** What a header has that the schema of a broken provider knows (RFC 7515 §4.1, RFC 7797 §3). */
const HEADER_MEMBERS = 'alg typ kid cty crit jwk jku x5u x5c x5t x5t#S256 b64'.split(' ');

/** An ID token whose claims are believed though nothing was verified, if its header is like that. */
function unverified(isBelieved: (algorithm: unknown) => boolean): Rewired {
  return ({ keys }) => ({
    keys: replacing(keys, {
      verifyOwn: async (token) => {
        const decoded = decodeJwt(token);
        if (decoded && isBelieved(decoded.header['alg'])) return decoded;
        return keys.verifyOwn(token);
      },
    }),
  });
}

/** Faults: what it decides wrongly when it is asked for ID-JAGs. */
export const MINT_FAULTS = {
  uncheckedSessionAge: {
    description: 'issues ID-JAGs however long ago the sign-in was (ID-JAG §9.2)',
    decisions: ageless,
    breaks: ['IDJ-15'],
    fails: { 'session-age': ['stale'] },
  },
  endlessSession: {
    description: 'accepts an ID token that has expired, however long ago the sign-in was',
    decisions: both(ageless, omitting('idTokenChecks', 'end')),
    breaks: ['IDJ-15', 'IDJ-09'],
    fails: { 'session-age': ['stale', 'expired'] },
  },
  acceptedMissingRequestedType: {
    description: 'issues an ID-JAG without a requested_token_type (RFC 8693 §2.1)',
    decisions: omitting('exchangeChecks', 'requestedTypeGiven'),
    breaks: ['IDJ-08'],
    fails: { 'mint-refusals': ['missing-parameter'] },
  },
  uncheckedRequestedType: {
    description: 'issues an ID-JAG when another type was requested (RFC 8693 §2.1)',
    decisions: omitting('exchangeChecks', 'requestedType'),
    breaks: ['IDJ-08'],
    fails: { 'mint-refusals': ['requested-type'] },
  },
  acceptedUnknownAudience: {
    description: 'issues ID-JAGs for an unknown audience without asking (RFC 8693 §2.2.2)',
    parts: exchanging((right) => (provider, form) => {
      const { config, decisions } = provider;
      if (config.audience(form.get('audience') ?? '')) return right(provider, form);
      const unchecked = both(omitting('exchangeChecks', 'audience'), unasked);
      return right({ ...provider, decisions: unchecked(decisions) }, form);
    }),
    breaks: ['IDC-01', 'W9-13'],
    fails: { 'mint-refusals': ['unknown-audience', 'own-issuer'] },
  },
  wrongUnknownAudienceCode: {
    description: 'answers an unknown audience with invalid_request (RFC 8693 §2.2.2)',
    decisions: (right) => ({
      ...right,
      exchangeChecks: right.exchangeChecks.map((one) =>
        one.name === 'audience'
          ? { ...one, check: (facts) => one.check(facts) && { code: 'invalid_request' } }
          : one,
      ),
    }),
    breaks: ['W9-13'],
    fails: { 'mint-refusals': ['unknown-audience-code'] },
  },
  uncheckedResource: {
    description: 'accepts any text as resource (RFC 8707 §2)',
    decisions: omitting('exchangeChecks', 'resource'),
    breaks: ['IDC-01'],
    fails: { 'mint-scope': ['bad-resource', 'foreign-resource'] },
  },
  acceptedActorWithoutType: {
    description: 'accepts an actor token without its type (RFC 8693 §2.1)',
    decisions: omitting('exchangeChecks', 'actor'),
    breaks: ['IDJ-10'],
    fails: { 'mint-refusals': ['actor'] },
  },
  uncheckedIdTokenSignature: {
    description: 'accepts an ID token whoever signed it (RFC 7515 §5.2)',
    parts: unverified(() => true),
    breaks: ['IDJ-09', 'JWT-01.provider', 'A-01-SUBJECT'],
    fails: { 'subject-token': ['forged'] },
  },
  acceptedIdTokenAlgNone: {
    description: 'accepts an ID token with alg none (RFC 8725 §3.2)',
    parts: unverified((algorithm) => /^none$/i.test(String(algorithm))),
    breaks: ['JWT-01.provider', 'A-01-SUBJECT'],
    fails: { 'subject-token': ['unsigned'] },
  },
  acceptedIdJagAsIdToken: {
    description: 'accepts its own ID-JAG as an ID token (RFC 8725 §3.12)',
    decisions: omitting('idTokenChecks', 'type', 'audience'),
    breaks: ['A-08.provider'],
    fails: { 'subject-token': ['kinds'] },
  },
  acceptedIdJagAsGrant: {
    description: 'issues an access token for its own ID-JAG (ID-JAG §9.3)',
    parts: ({ grants }) => ({ grants: new Map([...grants, [JWT_BEARER_GRANT, tradeGrant]]) }),
    breaks: ['A-08.provider', 'IDJ-14'],
    fails: { 'mint-refusals': ['id-jag-traded'] },
  },
  uncheckedClient: {
    description:
      'accepts an ID token from another client than the one it was issued to (ID-JAG §4.3.3)',
    decisions: omitting('clientChecks', 'client'),
    breaks: ['IDJ-09'],
    fails: { 'subject-token': ['other-client'] },
  },
  crashingUnknownHeader: {
    description: 'breaks on a token with unknown header members',
    parts: ({ idTokens }) => ({
      idTokens: replacing(idTokens, {
        verify: async (token) => {
          const members = Object.keys(decodeJwt(token)?.header ?? {});
          const odd = members.find((name) => !HEADER_MEMBERS.includes(name));
          if (odd !== undefined) throw new TypeError(`Unknown header member ${odd}.`);
          return idTokens.verify(token);
        },
      }),
    }),
    breaks: ['A-37.provider'],
    fails: { 'subject-token': ['odd-members'] },
  },
  refusedIdToken: {
    description: 'refuses every ID token',
    parts: ({ idTokens }) => ({
      idTokens: replacing(idTokens, { verify: async () => undefined }),
    }),
    breaks: ['IDJ-08', 'AR-DOES-1.provider', 'W9-07'],
    fails: { mint: ['minted'] },
  },
  refusedPublicClient: {
    description: 'refuses a client without a secret (RFC 6749 §2.1)',
    parts: exchanging((right) => async (provider, form) => {
      if (form.get('client_secret') !== undefined) return right(provider, form);
      throw wireProblem('provider', 'invalid_client');
    }),
    breaks: ['W9-04'],
    fails: { 'token-requests': ['secretless'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;

const isMint = (path: string, response: Response) => path === PATHS.token && response.ok;

/** Faults: what it answers wrongly to a mint. */
export const MINT_ANSWER_FAULTS = {
  missingIssuedTokenType: {
    description: 'leaves issued_token_type out (RFC 8693 §2.2.1)',
    answers: on(isMint, withMembers({ issued_token_type: undefined })),
    breaks: ['IDJ-12'],
    fails: { mint: ['issued-type'] },
  },
  wrongTokenType: {
    description: 'calls an ID-JAG a bearer token (ID-JAG §4.3.4)',
    answers: on(isMint, withMembers({ token_type: 'Bearer' })),
    breaks: ['IDJ-12'],
    fails: { mint: ['token-type'] },
  },
  missingExpiresIn: {
    description: 'leaves expires_in of an ID-JAG out (RFC 8693 §2.2.1)',
    answers: on(isMint, withMembers({ expires_in: undefined })),
    breaks: ['W9-08'],
    fails: { mint: ['expires-in'] },
  },
  extraRefreshToken: {
    description: 'issues a refresh token with an ID-JAG (ID-JAG §4.3.4)',
    answers: on(isMint, withMembers({ refresh_token: 'rt_0123456789abcdef' })),
    breaks: ['IDJ-12'],
    fails: { mint: ['no-refresh-token'] },
  },
  wrongMissingParameterCode: {
    description: 'answers a missing parameter with invalid_grant (RFC 6749 §5.2)',
    answers: on(
      (path) => path === PATHS.token,
      withJson((body) =>
        body['error'] === 'invalid_request' ? { ...body, error: 'invalid_grant' } : body,
      ),
    ),
    breaks: ['W9-07'],
    fails: { 'mint-refusals': ['missing-parameter-code'] },
  },
  wrongIdTokenCode: {
    description: 'answers an invalid ID token with invalid_token (RFC 8693 §2.2.2)',
    answers: on(
      (path) => path === PATHS.token,
      withJson((body) =>
        body['error'] === 'invalid_grant' ? { ...body, error: 'invalid_token' } : body,
      ),
    ),
    breaks: ['W9-07'],
    fails: { 'subject-token': ['code'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;
