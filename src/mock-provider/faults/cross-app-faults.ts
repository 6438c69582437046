import { replacing } from '../../mock/config/replacing.ts';
import { slowly } from '../../mock/faults/slowly.ts';
import { on, type Tamper, withJson, withMembers } from '../../mock/http/tamper.ts';
import { generateKey, importSigningKey, type SigningKey } from '../../mock/keys/signing-key.ts';
import { JWT_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { PATHS } from '../config/paths.ts';
import type { CodeStore } from '../store/code-store.ts';
import { isMetadata } from './document-faults.ts';
import { isMint } from './mint-faults.ts';
import { omitting, type ProviderFault, type Rewired, saying } from './rewiring.ts';

const isRedirect = (path: string, { headers }: Response) =>
  path === PATHS.authorize && /[?&](code|error)=/.test(headers.get('location') ?? '');

/** The answer to an authorization request says something else. */
function redirecting(change: (parameters: URLSearchParams) => void): Tamper {
  return on(isRedirect, (response) => {
    const url = new URL(response.headers.get('location') ?? '');
    change(url.searchParams);
    response.headers.set('location', url.href);
    return response;
  });
}

/** Codes and refresh tokens are kept another way. */
function keeping(change: (right: CodeStore) => Partial<CodeStore>): Rewired {
  return ({ codes }) => ({ codes: replacing(codes, change(codes)) });
}

/** ID-JAGs are signed with a key that is in no key set. */
const signedByAnother: Rewired = ({ keys, random }) => {
  let made: Promise<SigningKey> | undefined;
  return {
    keys: replacing(keys, {
      sign: async (typ, claims, ...rest) => {
        if (typ !== JWT_TYPE.idJag) return keys.sign(typ, claims, ...rest);
        made ??= generateKey('ES256', random).then((jwk) =>
          importSigningKey(jwk, 'ES256', randomToken(random, 'key_')),
        );
        const [header] = rest;
        return (await made).sign(typ, claims, header);
      },
    }),
  };
};

/** Faults: what it does wrong as the identity provider of cross-app access. */
export const CROSS_APP_FAULTS = {
  slowTokenEndpoint: {
    description:
      'answers each token request 10 seconds late: clients that give up lose what it spent',
    parts: (mock) => slowly(mock, PATHS.token),
  },
  missingChallengeMethods: {
    description: 'leaves code_challenge_methods_supported out: clients that need PKCE stop',
    answers: on(isMetadata, withMembers({ code_challenge_methods_supported: undefined })),
  },
  missingKeys: {
    description: 'publishes an empty key set (RFC 7517 §5)',
    answers: on((path) => path === PATHS.jwks, withMembers({ keys: [] })),
  },
  missingRedirectIssuer: {
    description: 'leaves iss out of the redirect, although its metadata promises it (RFC 9207 §2)',
    answers: redirecting((parameters) => parameters.delete('iss')),
  },
  wrongRedirectIssuer: {
    description: 'names another issuer on the redirect: a mix-up attack (RFC 9207 §2.4)',
    answers: redirecting((parameters) => parameters.set('iss', 'https://other.example')),
  },
  wrongState: {
    description: 'changes state on the redirect (RFC 6749 §4.1.2)',
    answers: redirecting((parameters) => parameters.set('state', 'another-state')),
  },
  missingNonce: {
    description: 'leaves nonce out of ID tokens (OpenID Connect Core §2)',
    decisions: saying('idToken', () => ({ nonce: undefined })),
  },
  uncheckedVerifier: {
    description: 'redeems a code whatever the code_verifier is (RFC 7636 §4.6)',
    // Of a code from before the fault the challenge is known, and compared.
    parts: keeping((right) => ({
      issue: (code) => right.issue({ ...code, challenge: undefined }),
      redeem: async (hash, use, fresh) =>
        (await right.redeem(hash, use, fresh)) ??
        right.redeem(hash, { ...use, challenge: undefined }, fresh),
    })),
  },
  acceptedUsedCode: {
    description: 'redeems an authorization code more than once (RFC 6749 §4.1.2)',
    parts: ({ codes, db }) => ({
      codes: replacing(codes, {
        redeem: async (hash, ...rest) => {
          await db.transaction((tx) =>
            tx.run('UPDATE authorization_codes SET used_at = NULL WHERE hash = ?', [hash]),
          );
          return codes.redeem(hash, ...rest);
        },
      }),
    }),
  },
  acceptedSpentRefreshToken: {
    description: 'keeps a refresh token good after it was rotated (RFC 9700 §4.14.2)',
    parts: ({ codes, db }) => ({
      codes: replacing(codes, {
        rotate: async (hash, ...rest) => {
          await db.transaction((tx) =>
            tx.run('UPDATE client_refresh_tokens SET spent_at = NULL WHERE hash = ?', [hash]),
          );
          return codes.rotate(hash, ...rest);
        },
      }),
    }),
  },
  noClientAuthentication: {
    description: 'takes confidential clients without their credentials (RFC 6749 §3.2.1)',
    config: (right) => ({
      ...right,
      clients: right.clients.map((each) => ({ ...each, methods: [...each.methods, 'none'] })),
    }),
  },
  acceptedForeignIdToken: {
    description: 'exchanges the ID token of another client (ID-JAG §4.3.3, aud)',
    decisions: omitting('idTokenChecks', 'audience'),
  },
  extraIdJagAudience: {
    description: 'issues ID-JAGs for several services at once (ID-JAG §3.1, aud)',
    decisions: saying('idJag', ({ aud }) => ({ aud: [aud, 'https://other.example'] })),
  },
  extraAudienceSlash: {
    description: 'ends aud of its ID-JAGs with a slash that the issuer has not (ID-JAG §4.4.1)',
    decisions: saying('idJag', ({ aud }) => ({ aud: `${String(aud)}/` })),
  },
  wrongIdJagResource: {
    description: 'names the resource of another service in its ID-JAGs (ID-JAG §4.3.3)',
    decisions: saying('idJag', () => ({ resource: 'https://other.example/mcp' })),
  },
  longIdJagLifetime301: {
    description: 'issues ID-JAGs that live for 301 seconds: strict servers refuse them',
    config: (right) => ({ ...right, lifetimes: { ...right.lifetimes, idJag: 301 * SECOND } }),
  },
  missingIdJagJti: {
    description: 'issues ID-JAGs without jti (ID-JAG §3.1)',
    decisions: saying('idJag', () => ({ jti: undefined })),
  },
  missingIdJagKey: {
    description: 'signs ID-JAGs with a key that it never publishes (RFC 7515 §4.1.4, kid)',
    parts: signedByAnother,
  },
  extraIdJagConfirmation: {
    description: 'binds its ID-JAGs to a key that nobody has (ID-JAG §9.8.1.1, cnf)',
    decisions: saying('idJag', () => ({
      cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' },
    })),
  },
  wrongExpiresInType: {
    description: 'writes expires_in as a string (RFC 6749 §5.1)',
    answers: on(
      isMint,
      withJson((body) => ({ ...body, expires_in: String(body['expires_in']) })),
    ),
  },
  missingNarrowedScope: {
    description: 'grants less than was asked for, and leaves scope out (RFC 6749 §5.1)',
    answers: on(isMint, withMembers({ scope: undefined })),
  },
} satisfies Readonly<Record<string, ProviderFault>>;
