import { wireProblem } from '../../../../src/mock/http/response.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { tolerated } from '../../../../src/mock-service/faults/cross-app-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { Barrier } from './barrier.ts';
import { answeredAs, answeringRedeemed, redeemedAs, requestedAs } from './redeeming.ts';

const { atEndpoint, atHandler, on, replacing, withJson, withMembers } = rewire;

const EVERYTHING = 'api.read api.write';
const soon = () => Math.floor(Date.now() / 1000) + 60;

/** Nothing of the request is changed, and of what is granted the scope. */
const granting = (scope: (claimed: unknown, asked: string | null) => string | undefined) =>
  requestedAs(
    () => undefined,
    (response, { claims, form }) =>
      response.status === 200
        ? answeredAs(response, (body) => ({
            ...body,
            scope: scope(claims['scope'], form.get('scope')) ?? body['scope'],
          }))
        : response,
  );

/** A refusal says something else. */
const refusingBy = (describe: (claims: Readonly<Record<string, unknown>>) => string) =>
  requestedAs(
    () => undefined,
    (response) => response,
    (_problem, { claims }) =>
      wireProblem('token', 'invalid_grant', { description: describe(claims) }),
  );

/** Faults of what the claims of a redeemed ID-JAG lead to. */
export const REDEMPTION_CLAIM_FAULTS = {
  acceptedExpiredIdJag: {
    description: 'redeems an ID-JAG that has expired (RFC 7523 §3, exp)',
    decisions: tolerated('expiry'),
    fails: { 'redemption-claims': ['expired'] },
  },
  acceptedEndlessIdJag: {
    description: 'redeems an ID-JAG whose exp is missing or no number (RFC 7523 §3, exp)',
    parts: redeemedAs(({ exp, ...claims }) => ({
      ...claims,
      exp: typeof exp === 'number' ? exp : soon(),
    })),
    fails: { 'redemption-claims': ['exp'] },
  },
  acceptedIdJagBeforeItsTime: {
    description: 'redeems an ID-JAG whose iat is missing or lies in the future (EMA §7.4.1)',
    parts: redeemedAs((claims) => ({ ...claims, iat: soon() - 120 })),
    decisions: tolerated('issuance'),
    fails: { 'redemption-claims': ['iat'] },
  },
  acceptedIdJagBeforeNbf: {
    description: 'redeems an ID-JAG before its nbf (RFC 7523 §3, nbf)',
    decisions: tolerated('not-before'),
    fails: { 'redemption-claims': ['nbf'] },
  },
  longRedeemedLifetime: {
    description: 'redeems an ID-JAG that is valid for a year (RFC 7523 §3)',
    decisions: tolerated('lifetime'),
    fails: { 'redemption-claims': ['lifetime'] },
  },
  acceptedIdJagWithoutSub: {
    description: 'redeems an ID-JAG without sub (RFC 7523 §3, sub)',
    parts: redeemedAs((claims) => ({ sub: 'somebody', ...claims })),
    fails: { 'redemption-claims': ['sub'] },
  },
  acceptedIdJagWithoutJti: {
    description: 'redeems an ID-JAG without a jti that is text (ID-JAG §3.1)',
    parts: redeemedAs((claims) => {
      const { jti } = claims;
      const isText = typeof jti === 'string' && jti !== '';
      return { ...claims, jti: isText ? jti : crypto.randomUUID() };
    }),
    fails: { 'redemption-claims': ['jti'] },
  },
  acceptedUnknownDetails: {
    description: 'ignores authorization_details of an ID-JAG (RFC 9396 §5)',
    decisions: tolerated('authorization-details'),
    fails: { 'redemption-claims': ['details'] },
  },
  racyRedemption: {
    description: 'looks a jti up before it stores it, in two steps (EMA §7.4.2)',
    parts: ({ clientTokens }) => {
      const used = new Set<string>();
      const barrier = new Barrier<boolean>();
      return {
        clientTokens: replacing(clientTokens, {
          redeem: (idJag, token, given) =>
            barrier.decideLate(
              `${idJag.issuer} ${idJag.jti}`,
              async () => used.has(`${idJag.issuer} ${idJag.jti}`),
              async (isUsed) => {
                used.add(`${idJag.issuer} ${idJag.jti}`);
                const rules = { ...given.rules, mayReuse: true };
                return isUsed ? 'used' : clientTokens.redeem(idJag, token, { ...given, rules });
              },
            ),
        }),
      };
    },
    fails: { 'redemption-replay': ['parallel'] },
  },
  sharedRedeemedJti: {
    description: 'refuses an ID-JAG whose jti another issuer has used (RFC 7519 §4.1.7)',
    parts: ({ clientTokens }) => {
      const used = new Set<string>();
      return {
        clientTokens: replacing(clientTokens, {
          redeem: async (idJag, ...given) => {
            if (used.has(idJag.jti)) return 'used';
            used.add(idJag.jti);
            return clientTokens.redeem(idJag, ...given);
          },
        }),
      };
    },
    fails: { 'redemption-replay': ['per-issuer'] },
  },
  sharedRedeemedSubject: {
    description: 'treats the same sub of two providers as one user (ID-JAG §3.1)',
    parts: ({ clientTokens }) => ({
      clientTokens: replacing(clientTokens, {
        redeem: (idJag, ...given) => {
          const jti = `${idJag.issuer} ${idJag.jti}`;
          return clientTokens.redeem({ ...idJag, jti, issuer: 'https://one.test' }, ...given);
        },
      }),
    }),
    fails: { 'redemption-replay': ['subject-per-issuer'] },
  },
  trustedRedeemedEmail: {
    description: 'knows a user by the email that any provider names (ID-JAG §3.1)',
    parts: ({ clientTokens }) => ({
      clientTokens: replacing(clientTokens, {
        redeem: (idJag, ...given) => {
          const { email, issuer, jti, subject } = idJag;
          const known = { issuer: 'https://one.test', subject: email ?? subject };
          return clientTokens.redeem({ ...idJag, ...known, jti: `${issuer} ${jti}` }, ...given);
        },
      }),
    }),
    fails: { 'redemption-replay': ['email-per-issuer'] },
  },
  uncheckedRedeemedScope: {
    description: 'grants whatever scope a client asks for, whatever its ID-JAG says (EMA §7.2.1)',
    parts: granting((_claimed, asked) => asked ?? undefined),
    fails: { 'redemption-scope': ['within-claim'] },
  },
  ignoredScopeParameter: {
    description: 'grants the scope of an ID-JAG, whatever less is asked for (EMA §7.2.1)',
    parts: requestedAs(({ form }) => {
      form.delete('scope');
      return undefined;
    }),
    fails: { 'redemption-scope': ['within-request'] },
  },
  extraScopeWithoutParameter: {
    description: 'grants every scope where none is asked for (EMA §7.2.1)',
    parts: granting((claimed, asked) =>
      asked === null && claimed !== undefined ? EVERYTHING : undefined,
    ),
    fails: { 'redemption-scope': ['claim-alone'] },
  },
  extraScopeWithoutClaim: {
    description: 'grants every scope to an ID-JAG that names none (ID-JAG §4.4.1)',
    parts: granting((claimed) => (claimed === undefined ? EVERYTHING : undefined)),
    fails: { 'redemption-scope': ['default'] },
  },
  missingRedeemedScope: {
    description: 'does not say which scopes the token of an ID-JAG has (RFC 6749 §5.1)',
    answers: answeringRedeemed(({ scope: _scope, ...body }) => body),
    fails: { 'redemption-scope': ['told'] },
  },
  ignoredClaimedResource: {
    description: 'gives a token for the resource that is asked for, whatever the ID-JAG says',
    parts: (mock) =>
      requestedAs(({ form, mock: { decisions } }) => {
        if (!form.has('resource')) return undefined;
        const readIdJag: typeof decisions.readIdJag = (
          { resource: _resource, ...claims },
          context,
        ) => decisions.readIdJag(claims as Parameters<typeof decisions.readIdJag>[0], context);
        return { decisions: { ...decisions, readIdJag } };
      })(mock),
    fails: { 'redemption-resource': ['parameter'] },
  },
  wrongTargetCode: {
    description: 'answers invalid_request to a resource beyond the ID-JAG (RFC 8707 §2)',
    answers: on(
      (path, { status }) => path === PATHS.token && status === 400,
      withJson((body) => ({ ...body, error: 'invalid_request' })),
    ),
    fails: { 'redemption-resource': ['parameter-code'] },
  },
  acceptedForeignResourceInList: {
    description: 'gives a token for a foreign resource that stands beside its own (ID-JAG §4.4.1)',
    parts: redeemedAs(({ resource, ...claims }) => ({
      ...claims,
      resource: Array.isArray(resource) ? resource.at(-1) : resource,
    })),
    decisions: tolerated('resource'),
    fails: { 'redemption-resource': ['list'] },
  },
  acceptedIdJagAsToken: {
    description: 'opens its API with an ID-JAG (RFC 8725 §3.11)',
    answers: openedBy('oauth-id-jag+jwt'),
    fails: { 'redemption-resource': ['id-jag'] },
  },
  acceptedIdTokenAsToken: {
    description: 'opens its API with an ID token (RFC 8725 §3.11)',
    answers: openedBy('JWT'),
    fails: { 'redemption-resource': ['id-token'] },
  },
  missingNeededScope: {
    description: 'does not say which scope a call needs (RFC 6750 §3)',
    answers: (response) => {
      const field = response.headers.get('www-authenticate');
      if (response.status !== 403 || field === null) return response;
      response.headers.set('www-authenticate', field.replace(/,? *scope="[^"]*"/, ''));
      return response;
    },
    fails: { 'redemption-resource': ['challenge'] },
  },
  wrongRefusedIdJagCode: {
    description: 'answers invalid_request to a wrong ID-JAG (RFC 7523 §3.1)',
    answers: on(
      (path, { status }) => path === PATHS.token && status === 400,
      withJson((body) => ({ ...body, error: 'invalid_request' })),
    ),
    fails: { 'redemption-errors': ['code'] },
  },
  wrongRefusalCacheControl: {
    description: 'lets the refusal of an ID-JAG be cached (RFC 6749 §5.2)',
    answers: on(
      (path, { status }) => path === PATHS.token && status === 400,
      (response) => {
        response.headers.set('cache-control', 'max-age=60');
        return response;
      },
    ),
    fails: { 'redemption-errors': ['json'] },
  },
  exposedSubject: {
    description: 'repeats the user of an ID-JAG that it refuses (EMA §7.4.2)',
    parts: refusingBy(({ sub }) => `No token for ${sub}.`),
    fails: { 'redemption-errors': ['silent'] },
  },
  exposedRefusalReason: {
    description: 'says why it refuses an ID-JAG (EMA §7.4.2)',
    parts: refusingBy(({ exp }) => (Number(exp) < 1000 ? 'It has expired.' : 'It is wrong.')),
    fails: { 'redemption-errors': ['alike'] },
  },
  wrongIntrospection: {
    description: 'says of each token that it is not active (RFC 7662 §2.2)',
    answers: on(
      (path, { status }) => path === PATHS.introspection && status === 200,
      withMembers({ active: false }),
    ),
    fails: { 'redemption-revocation': ['active'] },
  },
  noIntrospectionClient: {
    description: 'tells anybody of a token (RFC 7662 §2.1)',
    parts: (mock) =>
      atHandler(mock, { path: PATHS.introspection }, ({ clientTokens }, right) => async (c) => {
        const form = new URLSearchParams(await c.req.raw.clone().text());
        const isShown = form.has('client_id') || c.req.header('authorization') !== undefined;
        if (isShown) return right(c);
        const token = await clientTokens.find(sha256(form.get('token') ?? ''));
        return Response.json({ active: token !== undefined });
      }),
    fails: { 'redemption-revocation': ['authenticated'] },
  },
  exposedInactiveToken: {
    description: 'says more of an unknown token than that it is not active (RFC 7662 §2.2)',
    answers: on(
      (path, { status }) => path === PATHS.introspection && status === 200,
      withJson((body) => (body['active'] === false ? { ...body, error: 'revoked' } : body)),
    ),
    fails: { 'redemption-revocation': ['unknown'] },
  },
  ignoredClientTokenRevocation: {
    description: 'opens its API with a token that it says is revoked (RFC 7009 §2.2)',
    parts: (mock) => {
      const { clientTokens } = mock;
      const revoked = new Set<string>();
      const forgetting = replacing(clientTokens, {
        find: async (hash) => (revoked.has(hash) ? undefined : clientTokens.find(hash)),
      });
      return {
        ...atEndpoint(mock, { path: PATHS.introspection }, () => ({ clientTokens: forgetting })),
        clientTokens: replacing(clientTokens, {
          revoke: async (hash) => {
            revoked.add(hash);
          },
        }),
      };
    },
    fails: { 'redemption-revocation': ['closed'] },
  },
  endlessKeyOutage: {
    description: 'fetches no key set again that could not be fetched once (EMA §7.4.1)',
    parts: ({ verifier }) => {
      let isAway = false;
      return {
        verifier: {
          ...verifier,
          keySet: async (trusted, header) => {
            const set = isAway ? undefined : await verifier.keySet(trusted, header);
            isAway ||= set === undefined;
            return set;
          },
        },
      };
    },
    fails: { 'redemption-keys': ['after-outage'] },
  },
  refusedRepeatedParameters: {
    description: 'refuses the parameter resource in a redemption (RFC 8707 §2)',
    parts: refusingForm((form) => form.get('resource') !== null),
    fails: { redemption: ['parameters'] },
  },
  refusedEmptyParameter: {
    description: 'refuses a redemption with an empty parameter (RFC 6749 §3.2)',
    parts: refusingForm((form) => [...form.values()].includes('')),
    fails: { redemption: ['empty-parameters'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

function refusingForm(isRefused: (form: URLSearchParams) => boolean) {
  return requestedAs(
    () => undefined,
    (response, { form }) =>
      isRefused(form) ? Response.json({ error: 'invalid_request' }, { status: 400 }) : response,
  );
}

/** A JWT of this kind opens what another one does not. */
function openedBy(typ: string) {
  return on(
    (path, { status }, request) => {
      const [head = ''] = (request.headers.get('authorization') ?? '')
        .replace('Bearer ', '')
        .split('.');
      const isOf = () => Buffer.from(head, 'base64url').toString().includes(`"typ":"${typ}"`);
      return path.startsWith('/api/') && status === 401 && isOf();
    },
    (response) => new Response(response.body, { status: 200 }),
  );
}
