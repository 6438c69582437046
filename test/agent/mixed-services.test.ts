import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/runtime/index.ts';
import {
  ANSWER,
  agentAuth,
  Bench,
  CLAIM_GRANT,
  ENDPOINT,
  failure,
  later,
  pending,
  refusal,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { json, members } from './support/fake-web.ts';

const alice = { email: 'alice@example.com' };
const COMPLETE = `POST ${SERVICE}/agent/identity/claim/complete`;

/** Both vocabularies in one answer, as a service writes that wants to be read by everybody. */
const both = (claim: object) => ({
  id: 'reg_1',
  type: 'service_auth',
  registration_id: 'reg_1',
  registration_type: 'service_auth',
  claim_token: 'clm_1',
  claim_token_expires: later(60),
  claim_url: `${SERVICE}/agent/identity/claim`,
  claim: {
    token: 'clm_1',
    expires_at: later(60),
    url: `${SERVICE}/agent/identity/claim`,
    ...claim,
  },
});
const page = {
  attempt: { verification_uri: `${SERVICE}/claim?token=att_1`, expires_at: later(10) },
};
const code = {
  user_code: '012345',
  verification_uri: `${SERVICE}/login`,
  expires_in: 600,
  interval: 5,
};
const identity = (assertion: string) => ({
  assertion,
  expires_at: later(60),
  refresh_token: { value: 'art_1', expires_at: later(99) },
});

async function byEmail(answer: object, metadata: object = {}): Promise<Bench> {
  const bench = new Bench();
  bench.web
    .on(ENDPOINT.serverMetadata, json(serverMetadata(metadata)))
    .on(ENDPOINT.identity, json(answer));
  await bench.agent.register({ service: SERVICE, type: 'service_auth', loginHint: alice.email });
  return bench;
}

describe('a service that answers in two families at once', () => {
  it('is polled where its claim block has a code', async () => {
    const bench = await byEmail(both(code));
    bench.web.on(ENDPOINT.token, pending(), json(ANSWER.claimed()));
    expect(await bench.stored()).toMatchObject({
      dialect: 'flat',
      claim: { attempt: { kind: 'type_there' } },
    });
    expect((await bench.agent.waitForClaim()).status).toBe('claimed');
    expect(members(bench.web.sent(ENDPOINT.token)[0])['grant_type']).toBe(CLAIM_GRANT);
  });

  it('gets the code where its page shows it, though it lists a claim grant', async () => {
    const bench = await byEmail(both(page));
    bench.web
      .on(ENDPOINT.token, refusal('unsupported_grant_type'))
      .on(COMPLETE, json({ id: 'reg_1', status: 'claimed', identity: identity('assertion-2') }));
    expect((await bench.stored()).claim?.attempt).toMatchObject({ kind: 'read_back' });
    expect((await failure(bench.agent.waitForClaim())).code).toBe('code_needed');
    expect((await failure(bench.agent.token())).code).toBe('code_needed');
    // Nothing was polled: its last answer showed another way.
    expect(bench.web.sent(ENDPOINT.token)).toEqual([]);
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' })));
    const outcome = await bench.agent.submitCode({ code: new Secret('123456') });
    expect(outcome.status).toBe('claimed');
    expect(members(bench.web.sent(COMPLETE)[0])).toEqual({
      claim_token: 'clm_1',
      user_code: '123456',
    });
    expect(await bench.stored()).toMatchObject({ dialect: 'nested', refresh: {}, claimed: true });
  });

  it('may change its mind at each attempt', async () => {
    const bench = await byEmail(both(page));
    bench.web.on(
      ENDPOINT.claim,
      json({ ...ANSWER.attempt(), id: 'reg_1', type: 'service_auth' }),
      json({ id: 'reg_1', type: 'service_auth', ...page }),
    );
    await bench.agent.startClaim({ renew: true });
    expect(await bench.stored()).toMatchObject({
      dialect: 'flat',
      claim: { attempt: { kind: 'type_there' } },
    });
    await bench.agent.startClaim({ renew: true });
    expect(await bench.stored()).toMatchObject({
      dialect: 'nested',
      claim: { attempt: { kind: 'read_back' } },
    });
  });

  it('loses nothing that it gives in the other family’s members', async () => {
    const bench = await byEmail(both(code));
    bench.web.on(
      ENDPOINT.token,
      json({
        access_token: 'at_1',
        token_type: 'Bearer',
        expires_in: 60,
        identity: identity('assertion-7'),
      }),
    );
    await bench.agent.waitForClaim();
    const { assertion, refresh, token } = await bench.stored();
    expect(assertion?.value.reveal()).toBe('assertion-7');
    expect(refresh?.value.reveal()).toBe('art_1');
    expect(token?.direct).toBeUndefined();
  });

  it('may describe its user where the other family has the assertion', async () => {
    const bench = new Bench();
    await bench.anonymous({ identity: { email: null, name: 'agent' } });
    const { assertion, dialect } = await bench.stored();
    expect(assertion?.value.reveal()).toBe('assertion-1');
    expect(dialect).toBe('flat');
  });
});

describe('a service whose metadata has both vocabularies', () => {
  const aliases = {
    agent_auth: agentAuth({
      register_uri: `${SERVICE}/agent/identity`,
      claim_uri: `${SERVICE}/agent/identity/claim`,
      credential_types_supported: ['api_key'],
    }),
  };

  it.each([
    ['flat', ANSWER.anonymous()],
    [
      'nested',
      {
        id: 'reg_1',
        type: 'anonymous',
        identity: identity('assertion-1'),
        claim: { token: 'clm_1', expires_at: later(60), url: `${SERVICE}/agent/identity/claim` },
        scopes: { pre_claim: ['api.read'], post_claim: [] },
      },
    ],
    [
      'first',
      {
        registration_id: 'reg_1',
        registration_type: 'anonymous',
        credential_type: 'api_key',
        credential: 'sk_test_1',
        credential_expires: null,
        scopes: ['api.read'],
        claim_token: 'clm_1',
      },
    ],
  ])('is spoken to as its first answer shows: %s', async (dialect, answer) => {
    const bench = new Bench();
    bench.web
      .on(ENDPOINT.serverMetadata, json(serverMetadata(aliases)))
      .on(ENDPOINT.identity, json(answer));
    const outcome = await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    expect(outcome.status).toBe('registered');
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
    expect((await bench.stored()).dialect).toBe(dialect);
    bench.web.on(ENDPOINT.claim, refusal('claim_expired', 410));
    await bench.agent.startClaim(alice);
    const bodies = {
      flat: alice,
      nested: { type: 'service_auth', login_hint: alice.email },
      first: alice,
    };
    expect(members(bench.web.sent(ENDPOINT.claim)[0])).toEqual({
      claim_token: 'clm_1',
      ...bodies[dialect as keyof typeof bodies],
    });
  });
});

describe('a claim grant that is listed and not honoured', () => {
  it('ends the wait after one poll, keeps the registration, and says so', async () => {
    const bench = await byEmail(ANSWER.serviceAuth());
    bench.web.on(
      ENDPOINT.token,
      json({ error: 'unsupported_grant_type', message: 'Never heard of it.' }, 400),
    );
    const before = await bench.stored();
    const error = await failure(bench.agent.waitForClaim());
    expect(error).toMatchObject({ code: 'unsupported_grant_type', kind: 'refused' });
    expect(error.message).toMatch(/lists the claim grant and does not take it.*Never heard of it/);
    expect(error.hint).toMatch(/registration is kept/);
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(1);
    expect(await bench.stored()).toEqual(before);
  });

  it('does not hide why a claim was refused', async () => {
    const bench = await byEmail(ANSWER.serviceAuth());
    bench.web
      .on(ENDPOINT.claim, refusal('claimed_or_in_flight', 409))
      .on(ENDPOINT.token, refusal('unsupported_grant_type'));
    const error = await failure(bench.agent.startClaim({ renew: true }));
    expect(error.code).toBe('claimed_or_in_flight');
    expect((await bench.stored()).ended).toBeNull();
  });

  it('is not what a second attempt is refused for while one is open', async () => {
    const bench = await byEmail(ANSWER.serviceAuth());
    bench.web
      .on(ENDPOINT.claim, refusal('claimed_or_in_flight', 409))
      .on(ENDPOINT.token, pending(), json(ANSWER.claimed()));
    const error = await failure(bench.agent.startClaim({ renew: true }));
    expect(error).toMatchObject({ code: 'claimed_or_in_flight', next: { command: 'claim wait' } });
    expect(error.message).toMatch(/while one is open.*words of the service/);
    expect((await bench.agent.waitForClaim()).status).toBe('claimed');
  });

  it('leaves a registration usable that has an assertion', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    await bench.agent.startClaim(alice);
    bench.web.on(ENDPOINT.token, (request) =>
      members(request)['assertion'] === undefined
        ? refusal('unsupported_grant_type')
        : json(ANSWER.token({ access_token: 'at_2', scope: 'api.read api.write' })),
    );
    await failure(bench.agent.waitForClaim());
    expect((await bench.agent.token({ renew: true })).value.reveal()).toBe('at_2');
  });
});
