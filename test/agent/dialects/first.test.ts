import { describe, expect, it } from 'vitest';
import type { IdentityProof } from '../../../src/agent/dialects/dialect.ts';
import { readClaimStart, readCompletion } from '../../../src/agent/dialects/read-claim.ts';
import { readRegistration } from '../../../src/agent/dialects/read-registration.ts';
import {
  claimRequests,
  codeRequests,
  identityRequest,
} from '../../../src/agent/dialects/requests.ts';
import type { Service } from '../../../src/agent/index.ts';
import { readProblem } from '../../../src/agent/problems/problem.ts';
import { Secret } from '../../../src/runtime/index.ts';
import { later, SERVICE } from '../support/bench.ts';
import { members } from '../support/fake-web.ts';
import { answerOf, NOW } from './answer-of.ts';

const ANONYMOUS: IdentityProof = { type: 'anonymous' };
const EMAIL: IdentityProof = { type: 'service_auth', loginHint: 'alice@example.com' };
const ID_JAG: IdentityProof = { type: 'identity_assertion', assertion: new Secret('a.b.c') };

/** A service of version 0.1: it has no token endpoint. */
const V01: Service = {
  issuer: SERVICE,
  resource: SERVICE,
  name: undefined,
  identityEndpoint: `${SERVICE}/agent/auth`,
  claimEndpoint: `${SERVICE}/agent/auth/claim`,
  tokenEndpoint: undefined,
  revocationEndpoint: undefined,
  eventsEndpoint: undefined,
  skill: undefined,
  identityTypes: ['anonymous', 'service_auth', 'identity_assertion'],
  assertionTypes: [],
  scopes: [],
  claimGrantType: undefined,
  candidates: ['first'],
};
const V02: Service = { ...V01, tokenEndpoint: `${SERVICE}/oauth2/token` };

const KEY = {
  registration_id: 'reg_1',
  registration_type: 'anonymous',
  credential_type: 'api_key',
  credential: 'sk_test_1',
  credential_expires: null,
  scopes: ['api.read'],
  claim_url: `${SERVICE}/agent/auth/claim`,
  claim_token: 'clm_1',
  claim_token_expires: later(24 * 60),
  post_claim_scopes: ['api.read', 'api.write'],
};

const sent = (service: Service, proof: IdentityProof, name?: string) => {
  const { url, body = '' } = identityRequest('first', service, proof, name);
  return members({ method: 'POST', url, headers: {}, body, at: 0 });
};

describe('a registration of the first versions', () => {
  it.each<[string, Service, IdentityProof, object]>([
    ['0.1, anonymous', V01, ANONYMOUS, { type: 'anonymous', requested_credential_type: 'api_key' }],
    [
      '0.1, by email',
      V01,
      EMAIL,
      {
        type: 'identity_assertion',
        assertion_type: 'verified_email',
        assertion: 'alice@example.com',
        requested_credential_type: 'api_key',
      },
    ],
    [
      '0.1, by ID-JAG',
      V01,
      ID_JAG,
      {
        type: 'identity_assertion',
        assertion_type: 'urn:ietf:params:oauth:token-type:id-jag',
        assertion: 'a.b.c',
        requested_credential_type: 'api_key',
      },
    ],
    ['0.2, anonymous', V02, ANONYMOUS, { type: 'anonymous' }],
    [
      '0.2, by email',
      V02,
      EMAIL,
      {
        type: 'identity_assertion',
        assertion_type: 'verified_email',
        assertion: 'alice@example.com',
      },
    ],
    [
      'the kind of credential that is offered',
      { ...V02, credentialTypes: ['none', 'access_token'] },
      ANONYMOUS,
      { type: 'anonymous', requested_credential_type: 'access_token' },
    ],
    [
      'an API key before any other kind',
      { ...V01, credentialTypes: ['bearer_jwt', 'api_key'] },
      ANONYMOUS,
      { type: 'anonymous', requested_credential_type: 'api_key' },
    ],
    [
      'the form of later versions',
      { ...V02, emailForm: 'service_auth' },
      EMAIL,
      { type: 'service_auth', login_hint: 'alice@example.com' },
    ],
    [
      'a type of its own',
      { ...V02, emailForm: 'verified_email_type' },
      EMAIL,
      { type: 'verified_email', email: 'alice@example.com' },
    ],
  ])('asks for %s', (_what, service, proof, body) => {
    expect(sent(service, proof)).toEqual(body);
  });

  it('names the agent where it has a name', () => {
    expect(sent(V01, ANONYMOUS, 'Scout')).toMatchObject({ client_name: 'Scout' });
  });

  it('gives an API key that never ends, and a claim that nobody has started', () => {
    const grant = readRegistration('first', answerOf(KEY), ANONYMOUS);
    expect(grant).toMatchObject({
      id: 'reg_1',
      assertion: null,
      token: { scopes: ['api.read'], expiresAt: null, direct: true },
      preClaimScopes: ['api.read'],
      postClaimScopes: ['api.read', 'api.write'],
      claim: {
        url: `${SERVICE}/agent/auth/claim`,
        expiresAt: Date.parse(later(24 * 60)),
        attempt: null,
      },
    });
    expect(grant.token?.value.reveal()).toBe('sk_test_1');
    expect(grant.token?.header).toBeUndefined();
  });

  it('takes it whatever the number of the success, and whatever numbers its ids are', () => {
    const grant = readRegistration(
      'first',
      answerOf({ ...KEY, registration_id: 17 }, 201),
      ANONYMOUS,
    );
    expect(grant.id).toBe('17');
  });

  it('has an attempt open where it was by email: the mail is on its way', () => {
    const { credential: _, credential_type: __, credential_expires: ___, ...mailed } = KEY;
    const grant = readRegistration('first', answerOf(mailed, 202), EMAIL);
    expect(grant.token).toBeNull();
    expect(grant.claim?.attempt).toEqual({
      kind: 'read_back',
      verificationUri: null,
      submitUrl: null,
      expiresAt: Date.parse(later(24 * 60)),
      ended: null,
    });
  });

  it('waits a day for the mail where nothing says how long', () => {
    const answer = answerOf({ registration_id: 'reg_1', claim_token: 'clm_1' }, 202);
    const { claim } = readRegistration('first', answer, EMAIL);
    expect(claim).toMatchObject({ expiresAt: null, attempt: { expiresAt: NOW + 86_400_000 } });
  });

  it('gives an assertion that is no JWT, as 0.2 and 0.3 do', () => {
    const answer = answerOf({
      registration_id: 'reg_1',
      identity_assertion: 'ps_agent_opaque',
      assertion_expires: later(60),
      pre_claim_scopes: ['api.read'],
      post_claim_scopes: ['api.write'],
      claim_token: 'clm_1',
    });
    const grant = readRegistration('first', answer, ANONYMOUS);
    expect(grant).toMatchObject({
      assertion: { expiresAt: Date.parse(later(60)) },
      token: null,
      preClaimScopes: ['api.read'],
      postClaimScopes: ['api.write'],
    });
    expect(grant.assertion?.value.reveal()).toBe('ps_agent_opaque');
  });

  it('gives what an ID-JAG gets, without a claim', () => {
    const { claim_token: _, claim_url: __, post_claim_scopes: ___, ...whole } = KEY;
    const grant = readRegistration('first', answerOf(whole), ID_JAG);
    expect(grant).toMatchObject({
      preClaimScopes: [],
      postClaimScopes: ['api.read'],
      claim: null,
    });
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['a word that everybody gets', { registration_id: 'reg_1', access_token: 'anonymous' }],
    ['a credential that is no text', { ...KEY, credential: { value: 'sk_test_1' } }],
    ['a credential that fits no header', { ...KEY, credential: 'sk test\n1' }],
    ['an end that is no time', { ...KEY, credential_expires: { seconds: 5 } }],
    ['a token of another kind', { registration_id: 'r', access_token: 'at_1', token_type: 'N_A' }],
  ])('refuses %s', (_what, body) => {
    expect(() => readRegistration('first', answerOf(body), ANONYMOUS)).toThrow(
      expect.objectContaining({ name: 'AgentError' }),
    );
  });
});

describe('a claim of the first versions', () => {
  const to = `${SERVICE}/agent/auth/claim`;
  const bodies = (requests: readonly ({ readonly body?: string } | undefined)[]) =>
    requests.map((request) => JSON.parse(request?.body ?? 'null'));

  it('is started with an email address, and once more under its other name', () => {
    const claimer = { by: 'email', email: 'alice@example.com' } as const;
    const evidence = { form: undefined, claimGrantType: undefined, onRecord: false };
    expect(bodies(claimRequests('first', to, new Secret('clm_1'), claimer, evidence))).toEqual([
      { claim_token: 'clm_1', email: 'alice@example.com' },
      { claim_token: 'clm_1', login_hint: 'alice@example.com' },
    ]);
  });

  it('waits for a code by mail', () => {
    const answer = answerOf({
      registration_id: 'reg_1',
      claim_attempt_id: 'cla_1',
      status: 'initiated',
      expires_at: later(10),
    });
    expect(readClaimStart('first', answer)).toEqual({
      kind: 'attempt',
      attempt: {
        kind: 'read_back',
        verificationUri: null,
        submitUrl: null,
        expiresAt: Date.parse(later(10)),
        ended: null,
      },
    });
  });

  it('waits for the code of a page, where there is one', () => {
    const block = { verification_uri: `${SERVICE}/claim`, expires_in: 600 };
    expect(readClaimStart('first', answerOf({ claim_attempt: block }))).toMatchObject({
      attempt: { verificationUri: `${SERVICE}/claim`, expiresAt: NOW + 600_000 },
    });
  });

  it.each<[string, string | null, object[]]>([
    ['otp first', null, [{ otp: '0123' }, { user_code: '0123' }]],
    [
      'user_code first where the answer named the URL',
      to,
      [{ user_code: '0123' }, { otp: '0123' }],
    ],
  ])('hands the code in as %s', (_what, submitUrl, expected) => {
    const attempt = {
      kind: 'read_back',
      verificationUri: null,
      submitUrl,
      expiresAt: NOW,
      ended: null,
    } as const;
    const requests = codeRequests('first', to, new Secret('clm_1'), new Secret('0123'), attempt);
    expect(bodies(requests)).toEqual(expected.map((one) => ({ claim_token: 'clm_1', ...one })));
  });

  it.each<[string, object, object]>([
    [
      'nothing but its end',
      { registration_id: 'reg_1', status: 'claimed' },
      { assertion: null, token: null },
    ],
    [
      'a credential',
      { registration_id: 'reg_1', credential: 'sk_live_1', scopes: ['api.write'] },
      { assertion: null, token: { scopes: ['api.write'], direct: true } },
    ],
    [
      'an assertion',
      { registration_id: 'reg_1', identity_assertion: 'a2', assertion_expires: later(60) },
      { assertion: { expiresAt: Date.parse(later(60)) }, token: null },
    ],
  ])('is completed with %s', (_what, body, grant) => {
    expect(readCompletion(answerOf(body))).toMatchObject(grant);
  });

  it('is not complete where a success says that it is not', () => {
    expect(() => readCompletion(answerOf({ status: 'pending' }))).toThrow(/pending/);
  });

  it.each<[string, number, 'read_back' | 'claim' | 'identity', string, string]>([
    ['otp_invalid', 401, 'read_back', 'invalid_user_code', 'ask_code'],
    ['otp_not_generated', 400, 'read_back', 'claim_not_confirmed', 'confirm'],
    ['otp_expired', 410, 'read_back', 'claim_attempt_expired', 'reopen'],
    ['claim_superseded', 410, 'read_back', 'claim_attempt_expired', 'reopen'],
    ['previously_claimed', 409, 'read_back', 'already_claimed', 'stop'],
    ['claim_expired', 410, 'read_back', 'claim_expired', 'register'],
    ['previously_claimed', 409, 'claim', 'claimed_or_in_flight', 'poll_claim'],
    ['credential_expired', 400, 'identity', 'expired', 'mint'],
    ['audience_mismatch', 400, 'identity', 'invalid_audience', 'stop'],
  ])('calls %s (%i, %s) %s', (error, status, surface, code, move) => {
    const answer = answerOf({ error, message: 'in its own words' }, status);
    expect(readProblem(answer, surface)).toMatchObject({
      code,
      move,
      sent: error,
      description: 'in its own words',
    });
  });
});
