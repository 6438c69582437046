import {
  type AnswerFault,
  type Spoil,
  withHeader,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';
import { AUTHORIZATION_SERVER_PATH } from '../../protocol/index.ts';
import { PATHS } from '../metadata.ts';

type Json = Record<string, unknown>;

const atIdentity = (path: string, { status }: Response) =>
  status === 200 && (path === PATHS.identity || path === PATHS.claim);
const atPoll = (path: string) => path === PATHS.token;
const refusedAt =
  (...paths: readonly string[]) =>
  (path: string, { status }: Response) =>
    status >= 400 && paths.includes(path);

/** The claim of an answer, changed. */
function withClaim(change: (claim: Json, body: Json) => Json): Spoil {
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

const withLink = (change: (link: string, claim: Json, body: Json) => string): Spoil =>
  withClaim((claim, body) => ({
    ...claim,
    verification_uri: change(String(claim['verification_uri']), claim, body),
  }));

const inTurn =
  (...spoils: readonly Spoil[]): Spoil =>
  async (response, request) => {
    let spoiled = response;
    for (const spoil of spoils) spoiled = await spoil(spoiled, request);
    return spoiled;
  };

const ownErrors = inTurn(
  withJson(() => ({ error: { code: 'refused', message: 'No.' } })),
  withStatus(422),
);

export const REGISTRATION_ANSWERS = {
  claimTokenMissing: {
    says: 'answers an anonymous registration without a claim token',
    at: (path) => path === PATHS.identity,
    spoil: withMembers({ claim_token: undefined }),
  },
  attemptUntold: {
    says: 'does not tell the link of a claim (RFC 8628 §3.2)',
    at: atIdentity,
    spoil: withClaim(({ verification_uri: _link, ...claim }) => claim),
  },
  tokenAtRegistration: {
    says: 'answers a registration with an access token',
    at: atIdentity,
    spoil: withMembers({ access_token: 'at_no-token-at-all' }),
  },
  claimsCacheable: {
    says: 'lets codes and claim tokens be cached (RFC 8628 §3.2)',
    at: atIdentity,
    spoil: inTurn(withHeader('cache-control', 'max-age=60'), withoutHeaders('pragma')),
  },
  registrationMembersLeftOut: {
    says: 'does not say the id of a registration (wire.md §3)',
    at: atIdentity,
    spoil: withMembers({ registration_id: undefined }),
  },
  registrationsAsText: {
    says: 'sends registrations as plain text (RFC 8628 §3.2)',
    at: atIdentity,
    spoil: withHeader('content-type', 'text/plain'),
  },
  secondsAsText: {
    says: 'writes expires_in and interval as strings (RFC 8628 §3.2)',
    at: atIdentity,
    spoil: withClaim(({ expires_in: end, interval, ...claim }) => ({
      ...claim,
      expires_in: String(end),
      interval: String(interval),
    })),
  },
  timesInSeconds: {
    says: 'writes times as seconds since 1970 (wire.md §3)',
    at: atIdentity,
    spoil: withJson(({ claim_token_expires: end, ...body }) => ({
      ...body,
      claim_token_expires: Math.floor(Date.parse(String(end)) / 1000),
    })),
  },
  prefixesOwn: {
    says: 'begins its ids in its own way (wire.md §4)',
    at: atIdentity,
    spoil: withJson(({ registration_id: id, ...body }) => ({
      ...body,
      registration_id: String(id).replace('reg_', 'r-'),
    })),
  },
  identityErrorsOwn: {
    says: 'refuses registrations and claims with codes of its own (wire.md §3)',
    at: refusedAt(PATHS.identity, PATHS.claim),
    spoil: ownErrors,
  },
  claimsUnchallenged: {
    says: 'answers 401 without a challenge (RFC 9110 §15.5.2)',
    at: refusedAt(PATHS.claim),
    spoil: withoutHeaders('www-authenticate'),
  },
  pollErrorsOwn: {
    says: 'writes the errors of polls in another shape (RFC 6749 §5.2)',
    at: refusedAt(PATHS.token),
    spoil: withJson(({ error }) => ({ error: { code: error } })),
  },
  grantOnPaper: {
    says: 'lists a claim grant that it does not take (RFC 8414 §2)',
    at: (path) => path === AUTHORIZATION_SERVER_PATH,
    spoil: withJson(({ grant_types_supported: grants, ...body }) => ({
      ...body,
      grant_types_supported: [
        ...(Array.isArray(grants) ? grants : []),
        'urn:elsewhere:agent-auth:grant-type:claim',
      ],
    })),
  },
  assertionExpiresUntold: {
    says: 'does not say when a delivered assertion ends (wire.md §6)',
    at: atPoll,
    spoil: withMembers({ assertion_expires: undefined }),
  },
  codeInLink: {
    says: 'has the code in the verification_uri (RFC 8628 §3.3)',
    at: atIdentity,
    spoil: withLink((link, claim) => `${link}%26user_code%3D${String(claim['user_code'])}`),
  },
  claimTokenInLink: {
    says: 'has the claim token in the verification_uri (A-18)',
    at: atIdentity,
    spoil: withLink((link, _claim, body) => `${link}&of=${String(body['claim_token'])}`),
  },
  linkLong: {
    says: 'has a verification_uri that nobody can type (RFC 8628 §3.3)',
    at: atIdentity,
    spoil: withLink((link) => `${link}&from=${'agent'.repeat(500)}`),
  },
  linkForeign: {
    says: "has a verification_uri at another's address",
    at: atIdentity,
    spoil: withLink((link) => link.replace(/:\d+\//, ':9/')),
  },
  codesLookAlike: {
    says: 'makes codes of characters that look alike (RFC 8628 §6.1)',
    at: atIdentity,
    spoil: withClaim((claim) => ({
      ...claim,
      user_code: String(claim['user_code']).replace(/^../, 'O0'),
    })),
  },
  codeAskedEarly: {
    says: 'asks for the code before anybody is signed in',
    at: (path, { status }, { method }) =>
      method === 'GET' && path === PATHS.login && status === 200,
    spoil: async (response) => {
      const form = '<form method="post"><input name="user_code"></form></main>';
      const text = (await response.text()).replace('</main>', form);
      return new Response(text, { status: response.status, headers: response.headers });
    },
  },
  completionErrorsOwn: {
    says: 'refuses completions with codes of its own (wire.md §5)',
    at: refusedAt(PATHS.complete),
    spoil: ownErrors,
  },
  completionUnnamed: {
    says: 'does not say which registration was completed (wire.md §5)',
    at: (path) => path === PATHS.complete,
    spoil: withMembers({ registration_id: undefined }),
  },
  claimPageUnnamed: {
    says: 'does not say to a script what a claim is for (wire.md §5)',
    at: (path) => path === PATHS.claimPage,
    spoil: withMembers({ registration_type: undefined, scopes: undefined }),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
