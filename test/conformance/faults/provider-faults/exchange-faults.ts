import type { WireProblem } from '../../../../src/mock/http/response.ts';
import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import type { PolicyRule } from '../../../../src/mock-provider/config/rules.ts';
import { isMint } from '../../../../src/mock-provider/faults/mint-faults.ts';
import { exchanging } from '../../../../src/mock-provider/faults/rewiring.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { decodeJwt } from '../../../../src/protocol/jwt.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';
import { unverified } from './mint-faults.ts';

const { atHandler, on, replacing, saying, withHeader, withJson, withMembers, withoutHeaders } =
  rewire;

const isRefusal = (path: string, { status }: Response) => path === PATHS.token && status >= 400;

/** Policy without some of its rules. */
function without(
  isForgotten: (rule: PolicyRule) => boolean,
): NonNullable<ProvenProviderFault['config']> {
  return (right) => ({ ...right, policy: right.policy.filter((rule) => !isForgotten(rule)) });
}

/** A refusal says another code. */
function renamed(code: string, other: string): Tamper {
  return on(
    isRefusal,
    withJson((body) => (body['error'] === code ? { ...body, error: other } : body)),
  );
}

/** Faults: what it does wrong when a client exchanges an ID token. */
export const EXCHANGE_FAULTS = {
  extraPersonalClaims: {
    description: 'tells servers when its users were born (ID-JAG §9.6)',
    decisions: saying('idJag', () => ({ birthdate: '1990-01-01' })),
    fails: { 'idp-exchange': ['personal'] },
  },
  missingIdJagTenant: {
    description: 'leaves the tenant out of its ID-JAGs (ID-JAG §6.1)',
    decisions: saying('idJag', () => ({ tenant: undefined })),
    fails: { 'idp-exchange': ['tenant'] },
  },
  extraGrantedScope: {
    description: 'grants more scope than was asked for, and says so (ID-JAG §4.3.3)',
    decisions: saying('idJag', ({ scope }) => ({ scope: `${String(scope ?? '')} admin`.trim() })),
    answers: on(
      isMint,
      withJson((body) =>
        'issued_token_type' in body
          ? { ...body, scope: `${String(body['scope'] ?? '')} admin`.trim() }
          : body,
      ),
    ),
    fails: { 'idp-exchange': ['scope'] },
  },
  wrongAuthenticationCode: {
    description: 'answers a wrong secret with invalid_grant (RFC 6749 §5.2)',
    answers: renamed('invalid_client', 'invalid_grant'),
    fails: { 'idp-exchange-refusals': ['authentication-code'] },
  },
  acceptedUnlistedAudience: {
    description: 'mints for an audience that policy does not list (RFC 8693 §2.2.2)',
    config: without(({ refuse }) => refuse === 'invalid_target'),
    fails: { 'idp-exchange-refusals': ['audience'] },
  },
  wrongAudienceCode: {
    description: 'answers an unknown audience with access_denied (RFC 8693 §2.2.2)',
    answers: renamed('invalid_target', 'access_denied'),
    fails: { 'idp-exchange-refusals': ['audience-code'] },
  },
  wrongAudienceSpelling: {
    description: 'writes the audience of the request as aud, not as it is registered (ID-JAG §4.3)',
    parts: exchanging((right) => (provider, form, client) => {
      const copied = saying('idJag', () => ({ aud: form.get('audience') ?? '' }));
      return right({ ...provider, decisions: copied(provider.decisions) }, form, client);
    }),
    fails: { 'idp-exchange-refusals': ['audience-slash'] },
  },
  missingSecondResource: {
    description: 'drops all but one of several resources (RFC 8707 §2)',
    parts: exchanging(
      (right) => (provider, form, client) =>
        right(
          provider,
          { get: (name) => form.get(name), getAll: (name) => form.getAll(name).slice(0, 1) },
          client,
        ),
    ),
    fails: { 'idp-exchange-refusals': ['two-resources'] },
  },
  ignoredUserPolicy: {
    description: 'mints for a user whom policy refuses (EMA §4.1)',
    config: without(({ user }) => user !== undefined),
    fails: { 'idp-exchange-refusals': ['policy'] },
  },
  wrongErrorMediaType: {
    description: 'answers errors as plain text (RFC 6749 §5.2)',
    answers: on(isRefusal, withHeader('content-type', 'text/plain')),
    fails: { 'idp-exchange-refusals': ['error-body'] },
  },
  missingNoStoreOfErrors: {
    description: 'lets caches keep its refusals (RFC 6749 §5.2)',
    answers: on(isRefusal, withoutHeaders('cache-control')),
    fails: { 'idp-exchange-refusals': ['error-uncached'] },
  },
  ignoredProof: {
    description: 'mints without a binding for a client that sends a DPoP proof (ID-JAG §9.8.1.1)',
    parts: (mock) =>
      atHandler(mock, { path: PATHS.token }, (_mock, right) => ({ req }) => {
        const header = (name: string) => (name === 'dpop' ? undefined : req.header(name));
        const { method, raw, url } = req;
        const query = (name: string) => req.query(name);
        return right({
          req: { raw, method, url, header, query, param: (name) => req.param(name) },
        });
      }),
    fails: { 'idp-exchange-refusals': ['dpop'] },
  },
  acceptedMacByPublicKey: {
    description: 'verifies a MAC by its published key (RFC 8725 §2.1)',
    parts: unverified((algorithm) => algorithm === 'HS256'),
    fails: { 'idp-subject-tokens': ['mac'] },
  },
  acceptedAccessToken: {
    description: 'takes its access token for an ID token (RFC 8725 §3.11)',
    parts: ({ clock, idTokens, signInTokens }) => ({
      idTokens: replacing(idTokens, {
        verify: async (token, clientId) => {
          const session = await signInTokens.find(sha256(token));
          if (session === undefined) return idTokens.verify(token, clientId);
          return { email: session.email, authTime: Math.floor(clock.now() / 1000) };
        },
      }),
    }),
    fails: { 'idp-subject-tokens': ['access-token'] },
  },
  missingStepUpHint: {
    description: 'asks for a fresh sign-in without saying how fresh (ID-JAG §9.2)',
    answers: on(isRefusal, withMembers({ max_age: undefined })),
    fails: { 'idp-sign-in-age': ['step-up'] },
  },
  endlessStepUp: {
    description: 'asks for a fresh sign-in after each fresh sign-in (ID-JAG §9.2)',
    parts: (mock) => {
      let asked: WireProblem | undefined;
      return exchanging((right) => async (...request) => {
        if (asked !== undefined) throw asked;
        return right(...request).catch((problem: WireProblem) => {
          if (problem.code === 'insufficient_user_authentication') asked = problem;
          throw problem;
        });
      })(mock);
    },
    fails: { 'idp-sign-in-age': ['stepped-up'] },
  },
  refusedOldKey: {
    description: 'refuses ID tokens by a key that no longer signs (EMA §7.4.1)',
    parts: ({ keys }) => ({
      keys: replacing(keys, {
        verifyOwn: async (token) => {
          const [own, current] = [token, await keys.sign('JWT', {})].map(
            (each) => decodeJwt(each)?.header['kid'],
          );
          return own === current ? keys.verifyOwn(token) : undefined;
        },
      }),
    }),
    fails: { 'idp-key-rotation': ['old-id-token'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
