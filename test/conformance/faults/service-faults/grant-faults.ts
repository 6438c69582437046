import type { BodyReader, Form } from '../../../../src/mock/http/request.ts';
import { json, wireProblem } from '../../../../src/mock/http/response.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Redecided, Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { Grant } from '../../../../src/mock-service/tokens/grant.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { alsoByGet } from './by-get.ts';

const { atEndpoint, on, replacing, withJson } = rewire;

/** Every parameter of the two grants, and those of client authentication (RFC 6749 §2.3, RFC 7521 §4.2). */
const PARAMETERS: ReadonlySet<string> = new Set([
  'grant_type',
  'assertion',
  'claim_token',
  'scope',
  'resource',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
]);

const REQUIRED = ['grant_type', 'assertion', 'claim_token'];

/** The forms of the token endpoint are read another way. */
function readingForms(
  form: (text: string, right: BodyReader['form']) => ReturnType<BodyReader['form']>,
): Rewired {
  return (mock) =>
    atEndpoint(mock, { path: PATHS.token }, ({ reader }) => ({
      reader: { ...reader, form: (text) => form(text, reader.form) },
    }));
}

/** What every grant does first; it may refuse. */
function beforeGrants(step: (...args: Parameters<Grant>) => Form | Promise<Form>): Redecided {
  return (right) => ({
    ...right,
    grants: (config) =>
      new Map(
        [...right.grants(config)].map(([type, grant]) => [
          type,
          async (service, form) => grant(service, await step(service, form)),
        ]),
      ),
  });
}

function authenticating(judge: (form: Form, authenticates: boolean) => boolean): Redecided {
  return (decisions) => ({
    ...decisions,
    authenticatesClient: (request, form) =>
      judge(form, decisions.authenticatesClient(request, form)),
  });
}

/** Faults of the token endpoint, whatever a token is asked for. */
export const GRANT_FAULTS = {
  acceptedTokenRequestByGet: {
    description: 'accepts GET at the token endpoint (RFC 6749 §3.2)',
    parts: alsoByGet(PATHS.token),
    fails: { 'exchange-refusals': ['get'] },
  },
  acceptedClientCredentials: {
    description: 'accepts client_credentials, a grant that it does not list (RFC 8414 §2)',
    decisions: (right) => ({
      ...right,
      grants: (config) =>
        new Map([
          ...right.grants(config),
          [
            'client_credentials',
            async ({ secrets }) =>
              json({ access_token: secrets.accessToken(), token_type: 'Bearer' }),
          ],
        ]),
    }),
    fails: { grants: ['unlisted', 'unlisted-code'] },
  },
  wrongUnknownGrantCode: {
    description: 'answers an unknown grant with invalid_request (RFC 6749 §5.2)',
    answers: on(
      (path, { status }) => path === PATHS.token && status === 400,
      withJson((body) =>
        body['error'] === 'unsupported_grant_type' ? { ...body, error: 'invalid_request' } : body,
      ),
    ),
    fails: { grants: ['unlisted-code'] },
  },
  refusedUnknownParameter: {
    description: 'refuses parameters that it does not know (RFC 6749 §3.2)',
    parts: readingForms((text, right) => {
      if ([...new URLSearchParams(text).keys()].every((name) => PARAMETERS.has(name))) {
        return right(text);
      }
      throw wireProblem('token', 'invalid_request');
    }),
    fails: { exchange: ['unknown-parameters'] },
  },
  wrongMissingParameterCode: {
    description:
      'answers a missing parameter with another code than invalid_request (RFC 6749 §5.2)',
    // What is missing is read as empty text, and judged as such.
    parts: readingForms((text, right) => {
      const result = right(text);
      if (!result.ok) return result;
      const { form } = result;
      const empty = (name: string) => (REQUIRED.includes(name) ? '' : undefined);
      return { ok: true, form: { ...form, get: (name) => form.get(name) ?? empty(name) } };
    }),
    fails: { 'exchange-refusals': ['missing'] },
  },
  wrongRepeatedParameterCode: {
    description: 'answers a repeated parameter with invalid_grant (RFC 6749 §5.2)',
    parts: readingForms((text, right) => {
      const result = right(text);
      if (result.ok || result.problem !== 'repeated_parameter') return result;
      throw wireProblem('token', 'invalid_grant');
    }),
    fails: { 'exchange-refusals': ['repeated'] },
  },
  wrongAssertionCode: {
    description: 'answers a bad assertion with invalid_request (RFC 6749 §5.2)',
    parts: ({ assertions }) => ({
      assertions: replacing(assertions, {
        verify: async (assertion) => {
          const claims = await assertions.verify(assertion);
          if (claims === undefined) throw wireProblem('token', 'invalid_request');
          return claims;
        },
      }),
    }),
    fails: { 'exchange-refusals': ['bad-assertion'], 'assertion-attacks': ['code'] },
  },
  wrongMissingClaimTokenCode: {
    description: 'answers expired_token to a poll without a claim token',
    decisions: beforeGrants((_service, form) => ({
      ...form,
      get: (name) => (name === 'claim_token' ? String(form.get(name)) : form.get(name)),
    })),
    fails: { 'unknown-claims': ['token-needed'] },
  },
  wrongUnknownClaimTokenCode: {
    description: 'answers authorization_pending to an unknown claim token',
    decisions: beforeGrants(async ({ registrations }, form) => {
      const token = form.get('claim_token');
      if (token === undefined) return form;
      const known = await registrations.find({ by: 'claim_token_hash', value: sha256(token) });
      if (known === undefined) throw wireProblem('token', 'authorization_pending');
      return form;
    }),
    fails: { 'unknown-claims': ['unknown-refused'] },
  },
  uncheckedClientCredentials: {
    description: 'ignores wrong client credentials (RFC 7523 §3.1)',
    decisions: authenticating(() => false),
    fails: { 'client-authentication': ['refused'] },
  },
  wrongClientCode: {
    description: 'answers wrong client credentials with invalid_request (RFC 6749 §5.2)',
    decisions: authenticating((_form, authenticates) => {
      if (authenticates) throw wireProblem('token', 'invalid_request');
      return false;
    }),
    fails: { 'client-authentication': ['code', 'challenge'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
