import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import { isMint } from '../../../../src/mock-provider/faults/mint-faults.ts';
import {
  ageless,
  both,
  exchanging,
  type Rewired,
  unasked,
} from '../../../../src/mock-provider/faults/rewiring.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { JWT_BEARER_GRANT, JWT_TYPE } from '../../../../src/protocol/constants.ts';
import { decodeJwt, isJwtType } from '../../../../src/protocol/jwt.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';
import { tradeGrant } from './trade-grant.ts';

const { omitting, on, replacing, withJson, withMembers } = rewire;

/** What a header has that the schema of a broken provider knows (RFC 7515 §4.1, RFC 7797 §3). */
const HEADER_MEMBERS = 'alg typ kid cty crit jwk jku x5u x5c x5t x5t#S256 b64'.split(' ');

/** An ID token whose claims are believed though nothing was verified, if its header is like that. */
export function unverified(isBelieved: (algorithm: unknown) => boolean): Rewired {
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
  endlessSession: {
    description: 'accepts an ID token that has expired, however long ago the sign-in was',
    decisions: both(ageless, omitting('idTokenChecks', 'end')),
    fails: { 'session-age': ['stale', 'expired'], 'idp-sign-in-age': ['expired'] },
  },
  acceptedMissingRequestedType: {
    description: 'issues an ID-JAG without a requested_token_type (RFC 8693 §2.1)',
    decisions: omitting('exchangeChecks', 'requestedTypeGiven'),
    fails: {
      'mint-refusals': ['missing-parameter'],
      'idp-exchange-refusals': ['missing-parameter'],
    },
  },
  uncheckedRequestedType: {
    description: 'issues an ID-JAG when another type was requested (RFC 8693 §2.1)',
    decisions: omitting('exchangeChecks', 'requestedType'),
    fails: { 'mint-refusals': ['requested-type'] },
  },
  acceptedUnknownAudience: {
    description: 'issues ID-JAGs for an unknown audience without asking (RFC 8693 §2.2.2)',
    parts: exchanging((right) => (provider, form, client) => {
      const { config, decisions } = provider;
      if (config.audience(form.get('audience') ?? '')) return right(provider, form, client);
      const unchecked = both(omitting('exchangeChecks', 'audience'), unasked);
      return right({ ...provider, decisions: unchecked(decisions) }, form, client);
    }),
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
    fails: { 'mint-refusals': ['unknown-audience-code'] },
  },
  uncheckedResource: {
    description: 'accepts any text as resource (RFC 8707 §2)',
    decisions: omitting('exchangeChecks', 'resource'),
    fails: {
      'mint-scope': ['bad-resource', 'foreign-resource'],
      'idp-exchange-refusals': ['resource'],
    },
  },
  acceptedActorWithoutType: {
    description: 'accepts an actor token without its type (RFC 8693 §2.1)',
    decisions: omitting('exchangeChecks', 'actor'),
    fails: { 'mint-refusals': ['actor'], 'idp-exchange-refusals': ['actor'] },
  },
  uncheckedIdTokenSignature: {
    description: 'accepts an ID token whoever signed it (RFC 7515 §5.2)',
    parts: unverified(() => true),
    fails: { 'subject-token': ['forged'], 'idp-subject-tokens': ['forged'] },
  },
  acceptedAnyClient: {
    description: 'exchanges an ID token for a client that it does not know (ID-JAG §4.3.3)',
    config: (right) => ({ ...right, clients: [] }),
    decisions: omitting('idTokenChecks', 'audience'),
    fails: { 'subject-token': ['other-client'] },
  },
  acceptedIdTokenAlgNone: {
    description: 'accepts an ID token with alg none (RFC 8725 §3.2)',
    parts: unverified((algorithm) => /^none$/i.test(String(algorithm))),
    fails: { 'subject-token': ['unsigned'], 'idp-subject-tokens': ['unsigned'] },
  },
  acceptedIdJagAsIdToken: {
    description: 'accepts its own ID-JAG as an ID token (RFC 8725 §3.12)',
    decisions: (right) => ({
      ...right,
      idTokenChecks: right.idTokenChecks.map((check) => ({
        ...check,
        holds: (facts) =>
          (['type', 'audience'].includes(check.name) &&
            isJwtType(facts.header['typ'], JWT_TYPE.idJag)) ||
          check.holds(facts),
      })),
    }),
    fails: { 'subject-token': ['kinds'], 'idp-subject-tokens': ['id-jag'] },
  },
  acceptedIdJagAsGrant: {
    description: 'issues an access token for its own ID-JAG (ID-JAG §9.3)',
    parts: ({ grants }) => ({ grants: new Map([...grants, [JWT_BEARER_GRANT, tradeGrant]]) }),
    fails: { 'mint-refusals': ['id-jag-traded'], 'idp-exchange-refusals': ['traded'] },
  },
  crashingUnknownHeader: {
    description: 'breaks on a token with unknown header members',
    parts: ({ idTokens }) => ({
      idTokens: replacing(idTokens, {
        verify: async (token, clientId) => {
          const members = Object.keys(decodeJwt(token)?.header ?? {});
          const odd = members.find((name) => !HEADER_MEMBERS.includes(name));
          if (odd !== undefined) throw new TypeError(`Unknown header member ${odd}.`);
          return idTokens.verify(token, clientId);
        },
      }),
    }),
    fails: { 'subject-token': ['odd-members'] },
  },
  refusedIdToken: {
    description: 'refuses every ID token',
    parts: ({ idTokens }) => ({
      idTokens: replacing(idTokens, { verify: async () => undefined }),
    }),
    fails: { mint: ['minted'], 'idp-exchange': ['minted'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;

/** Faults: what it answers wrongly to a mint. */
export const MINT_ANSWER_FAULTS = {
  missingExpiresIn: {
    description: 'leaves expires_in of an ID-JAG out (RFC 8693 §2.2.1)',
    answers: on(isMint, withMembers({ expires_in: undefined })),
    fails: { mint: ['expires-in'] },
  },
  extraRefreshToken: {
    description: 'issues a refresh token with an ID-JAG (ID-JAG §4.3.4)',
    answers: on(isMint, withMembers({ refresh_token: 'rt_0123456789abcdef' })),
    fails: { mint: ['no-refresh-token'], 'idp-exchange': ['other-tokens'] },
  },
  wrongMissingParameterCode: {
    description: 'answers a missing parameter with invalid_grant (RFC 6749 §5.2)',
    answers: on(
      (path) => path === PATHS.token,
      withJson((body) =>
        body['error'] === 'invalid_request' ? { ...body, error: 'invalid_grant' } : body,
      ),
    ),
    fails: {
      'mint-refusals': ['missing-parameter-code'],
      'idp-exchange-refusals': ['missing-parameter-code'],
    },
  },
  wrongIdTokenCode: {
    description: 'answers an invalid ID token with invalid_token (RFC 8693 §2.2.2)',
    answers: on(
      (path) => path === PATHS.token,
      withJson((body) =>
        body['error'] === 'invalid_grant' ? { ...body, error: 'invalid_token' } : body,
      ),
    ),
    fails: {
      'subject-token': ['code'],
      'idp-code': ['refusal-code'],
      'idp-subject-tokens': ['code'],
    },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
