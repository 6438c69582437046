import { describe, expect, it } from 'vitest';
import type { AgentSettings } from '../../src/agent/index.ts';
import { Secret } from '../../src/runtime/index.ts';
import {
  agentAuth,
  Bench,
  ENDPOINT,
  failure,
  later,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { json, members } from './support/fake-web.ts';

const KEY = {
  registration_id: 'reg_1',
  registration_type: 'anonymous',
  credential_type: 'api_key',
  credential: 'sk_test_1',
  credential_expires: null,
  scopes: ['api.read'],
  claim_url: `${SERVICE}/agent/identity/claim`,
  claim_token: 'clm_1',
  claim_token_expires: later(24 * 60),
  post_claim_scopes: ['api.read', 'api.write'],
};

/** Registered anonymously with an API key, at a service that has no endpoint for tokens. */
async function withKey(over: object = {}, settings: AgentSettings = {}, status = 200) {
  const bench = new Bench(settings);
  bench.web
    .on(ENDPOINT.serverMetadata, json(serverMetadata({ grant_types_supported: [] })))
    .on(ENDPOINT.identity, json({ ...KEY, ...over }, status))
    .on(ENDPOINT.resource, json({ ok: true }));
  const outcome = await bench.agent.register({ service: SERVICE, type: 'anonymous' });
  return { bench, outcome };
}

const sentHeaders = ({ web }: Bench) => web.sent(ENDPOINT.resource).at(-1)?.headers ?? {};

describe('a credential straight from registration', () => {
  it.each([200, 201, 202])('is there at once, with a %i', async (status) => {
    const { bench, outcome } = await withKey({}, {}, status);
    expect(outcome).toMatchObject({ status: 'registered', registration: { dialect: 'first' } });
    const { token } = await bench.stored();
    expect(token).toMatchObject({ direct: true, expiresAt: null, scopes: ['api.read'] });
    expect(bench.web.sent(ENDPOINT.token)).toEqual([]);
  });

  it('kept nothing of expires_at and login_url', async () => {
    const page = `${SERVICE}/login?as=agent`;
    const { bench } = await withKey({
      ...{ credential_expires: undefined, expires_at: later(60), login_url: page },
    });
    const kept = { expiresAt: Date.parse(later(60)), loginUrl: page };
    expect((await bench.stored()).token).toMatchObject(kept);
    const odd = await withKey({ expires_at: {}, login_url: 'javascript:alert(1)' });
    expect((await odd.bench.stored()).token).not.toHaveProperty('loginUrl');
  });

  it('is sent as a bearer token', async () => {
    const { bench } = await withKey();
    await bench.agent.call('/api/resource');
    expect(sentHeaders(bench)['authorization']).toBe('Bearer sk_test_1');
  });

  it('is sent in the header that the answer names, alone', async () => {
    const { bench } = await withKey({ credential_header: 'X-API-Key' });
    await bench.agent.call('/api/resource');
    expect(sentHeaders(bench)['x-api-key']).toBe('sk_test_1');
    expect(sentHeaders(bench)['authorization']).toBeUndefined();
    expect((await bench.agent.token({})).header).toBe('X-API-Key');
  });

  it.each(['Host', 'Cookie', 'Transfer-Encoding', 'X Key'])(
    'is sent as a bearer token where the answer names the header %s',
    async (name) => {
      const { bench } = await withKey({ credential_header: name });
      await bench.agent.call('/api/resource');
      expect(sentHeaders(bench)['authorization']).toBe('Bearer sk_test_1');
    },
  );

  it('is sent in the header that the metadata names', async () => {
    const bench = new Bench();
    const issued_credential = { type: 'api_key', header: 'X-Agent-Proof' };
    const agent_auth = agentAuth({ registration_methods: [{ issued_credential }] });
    bench.web
      .on(ENDPOINT.serverMetadata, json(serverMetadata({ agent_auth })))
      .on(ENDPOINT.identity, json(KEY))
      .on(ENDPOINT.resource, json({ ok: true }));
    await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    await bench.agent.call('/api/resource');
    expect(sentHeaders(bench)['x-agent-proof']).toBe('sk_test_1');
    expect(sentHeaders(bench)['authorization']).toBeUndefined();
  });

  it('lets nobody else set its header', async () => {
    const { bench } = await withKey({ credential_header: 'X-API-Key' });
    const call = bench.agent.call('/api/resource', { headers: { 'x-api-key': 'mine' } });
    expect((await failure(call)).code).toBe('header_not_allowed');
    expect(bench.web.sent(ENDPOINT.resource)).toEqual([]);
  });

  it('keeps its header when a command of exec calls with it', async () => {
    const { bench } = await withKey({ credential_header: 'X-API-Key' });
    const inside = bench.another({ environmentToken: new Secret('sk_test_1') });
    await inside.call('/api/resource');
    expect(sentHeaders(bench)['x-api-key']).toBe('sk_test_1');
  });

  it('is what token gives, and says that renewing gives no other', async () => {
    const { bench } = await withKey();
    const plain = await bench.agent.token({});
    expect(plain).toMatchObject({ fresh: false, remaining: null, warnings: [] });
    const renewed = await bench.agent.token({ renew: true });
    expect(renewed.value.reveal()).toBe('sk_test_1');
    expect(renewed.warnings).toMatchObject([{ code: 'not_renewable' }]);
    expect(bench.web.sent(ENDPOINT.token)).toEqual([]);
  });

  it('that is refused leads to another registration, and to no exchange', async () => {
    const { bench } = await withKey();
    bench.web.on(ENDPOINT.resource, json({ error: 'invalid_token' }, 401));
    const error = await failure(bench.agent.call('/api/resource'));
    expect(error).toMatchObject({
      code: 'token_refused',
      next: { command: 'register', args: [SERVICE, '--new'] },
    });
    expect(error.message).toMatch(/refuses the credential/);
    expect(bench.web.sent(ENDPOINT.token)).toEqual([]);
  });

  it('that has expired is not sent', async () => {
    const { bench } = await withKey({ credential_expires: later(10), claim_token: undefined });
    bench.clock.advance(11 * 60_000);
    const error = await failure(bench.agent.call('/api/resource'));
    expect(error).toMatchObject({ code: 'registration_over' });
    expect(error.message).toMatch(/credential of the registration has expired/);
    expect(bench.web.sent(ENDPOINT.resource)).toEqual([]);
  });

  it('is used again where it is still good, without a request', async () => {
    const { bench } = await withKey();
    const again = await bench.agent.register({ service: SERVICE, type: 'anonymous', reuse: true });
    expect(again).toMatchObject({ status: 'registered', already: true });
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
  });

  it('of an ID-JAG is used again, and no other ID-JAG is minted', async () => {
    const { bench } = await withKey();
    const idp = 'https://idp.example';
    await bench.store.update((now) => {
      const services = now.services.map((service) => ({
        ...service,
        registrations: service.registrations.map((one) => ({
          ...one,
          type: 'identity_assertion' as const,
          provider: idp,
          claim: null,
        })),
      }));
      return [{ ...now, services }, undefined];
    });
    const again = await bench.agent.register({
      service: SERVICE,
      type: 'identity_assertion',
      provider: idp,
      reuse: true,
    });
    expect(again).toMatchObject({ status: 'registered', already: true });
  });

  it('that a token came as, and has expired, is over while nobody claims (a token at once)', async () => {
    const { bench } = await withKey({
      credential: undefined,
      credential_type: undefined,
      credential_expires: undefined,
      access_token: 'at_1',
      token_type: 'Bearer',
      expires_in: 3600,
    });
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata()));
    bench.web.on(ENDPOINT.token, json({ error: 'authorization_pending' }, 400));
    bench.clock.advance(2 * 3_600_000);
    const error = await failure(bench.agent.token({}));
    expect(error.message).toMatch(/credential of the registration has expired/);
  });

  it('is revoked where the service revokes (RFC 7009 §2.1)', async () => {
    const { bench } = await withKey();
    bench.web.on(ENDPOINT.revoke, json({}));
    expect((await bench.agent.revoke({})).status).toBe('revoked');
    expect(members(bench.web.sent(ENDPOINT.revoke)[0])['token']).toBe('sk_test_1');
    expect((await bench.stored()).token).toBeNull();
    expect((await failure(bench.agent.token({}))).code).toBe('claim_not_started');
  });

  it('was all that there was, once it is revoked', async () => {
    const { bench } = await withKey({ claim_token: undefined });
    bench.web.on(ENDPOINT.revoke, json({}));
    await bench.agent.revoke({});
    expect(await failure(bench.agent.token({}))).toMatchObject({
      code: 'registration_over',
      message: 'Nothing is left of the registration to make calls with.',
    });
  });

  it('stays valid where the service does not, and that is said', async () => {
    const { bench } = await withKey();
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata({ revocation_endpoint: undefined })));
    bench.clock.advance(6 * 60_000);
    const error = await failure(bench.agent.revoke({}));
    expect(error.message).toMatch(/stays valid until the service ends it/);
    const forgotten = await bench.agent.forget({});
    expect(forgotten).toMatchObject({ revocation: 'not_offered', tokenRemaining: null });
  });

  it('goes through connect, which leaves nothing behind', async () => {
    const bench = new Bench();
    bench.web
      .on(ENDPOINT.identity, json({ ...KEY, credential_header: 'X-API-Key' }))
      .on(ENDPOINT.resource, json({ ok: true }))
      .on(ENDPOINT.revoke, json({}));
    const outcome = await bench.agent.connect({
      service: SERVICE,
      call: '/api/resource',
      leave: true,
    });
    expect(outcome).toMatchObject({
      status: 'connected',
      token: { direct: true, header: 'X-API-Key' },
      call: { status: 200 },
      left: [{ revocation: 'revoked' }],
    });
    expect(JSON.stringify(outcome)).not.toContain('sk_test_1');
    expect(sentHeaders(bench)['x-api-key']).toBe('sk_test_1');
    expect((await bench.store.read()).services).toEqual([]);
  });

  it('is in no log', async () => {
    const { bench } = await withKey({ credential_header: 'X-API-Key' });
    await bench.agent.call('/api/resource');
    expect(JSON.stringify(bench.log)).not.toContain('sk_test_1');
  });

  it('is never shown by what holds it', async () => {
    const { outcome } = await withKey();
    expect(JSON.stringify(outcome)).not.toContain('sk_test_1');
  });
});

describe('a claim whose code comes by mail', () => {
  const COMPLETE = `POST ${SERVICE}/agent/identity/claim/complete`;
  const initiated = {
    registration_id: 'reg_1',
    claim_attempt_id: 'cla_1',
    status: 'initiated',
    expires_at: later(10),
  };

  it('is started for a key, and the key reaches further when it is complete', async () => {
    const { bench } = await withKey({ credential_header: 'X-API-Key' });
    bench.web.on(ENDPOINT.claim, json(initiated));
    const open = await bench.agent.startClaim({ email: 'alice@example.com' });
    expect(open).toMatchObject({
      status: 'open',
      ceremony: { kind: 'read_back', verificationUri: null, mailedTo: 'alice@example.com' },
    });
    expect(members(bench.web.sent(ENDPOINT.claim)[0])).toEqual({
      claim_token: 'clm_1',
      email: 'alice@example.com',
    });
    bench.web.on(COMPLETE, json({ registration_id: 'reg_1', status: 'claimed' }));
    const done = await bench.agent.submitCode({ code: new Secret('012345') });
    expect(done).toMatchObject({ status: 'claimed', token: { scopes: ['api.read', 'api.write'] } });
    expect(members(bench.web.sent(COMPLETE)[0])).toEqual({ claim_token: 'clm_1', otp: '012345' });
    await bench.agent.call('/api/resource');
    expect(sentHeaders(bench)['x-api-key']).toBe('sk_test_1');
    expect(await bench.stored()).toMatchObject({ claimed: true, claim: null });
  });

  it('is open at once where the registration was by email, and gives the key in the end', async () => {
    const bench = new Bench();
    const mailed = {
      registration_id: 'reg_2',
      registration_type: 'email-verification',
      claim_url: `${SERVICE}/agent/identity/claim`,
      claim_token: 'clm_2',
      claim_token_expires: later(24 * 60),
      post_claim_scopes: ['api.write'],
    };
    bench.web
      .on(ENDPOINT.serverMetadata, json(serverMetadata({ grant_types_supported: [] })))
      .on(ENDPOINT.identity, json(mailed, 202))
      .on(ENDPOINT.resource, json({ ok: true }))
      .on(
        COMPLETE,
        json({ error: 'otp_invalid', message: 'That is not it.' }, 401),
        json({ error: 'otp_not_generated', message: 'Open the link first.' }, 400),
        json({ registration_id: 'reg_2', credential_type: 'api_key', credential: 'sk_live_2' }),
      );
    const loginHint = 'alice@example.com';
    const type = 'service_auth';
    const made = await bench.agent.register({ service: SERVICE, type, loginHint });
    expect(made).toMatchObject({
      status: 'claim_pending',
      ceremony: { kind: 'read_back', verificationUri: null, mailedTo: loginHint },
      registration: { dialect: 'first' },
    });
    const code = new Secret('000000');
    expect((await bench.agent.submitCode({ code })).status).toBe('wrong_code');
    expect((await bench.agent.submitCode({ code })).status).toBe('not_confirmed');
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
    await bench.agent.call('/api/resource');
    expect(sentHeaders(bench)['authorization']).toBe('Bearer sk_live_2');
  });

  it('is complete where another process handed the code in, and the key is the one that there was', async () => {
    const { bench } = await withKey();
    bench.web.on(ENDPOINT.claim, json(initiated));
    await bench.agent.startClaim({ email: 'alice@example.com' });
    bench.web.on(COMPLETE, json({ error: 'already_claimed', message: 'It is claimed.' }, 409));
    const done = await bench.agent.submitCode({ code: new Secret('012345') });
    expect(done).toMatchObject({ status: 'claimed', token: { scopes: ['api.read', 'api.write'] } });
    expect(await bench.stored()).toMatchObject({ claimed: true, claim: null });
  });

  it('takes the other name of the code once, where the first is not understood', async () => {
    const { bench } = await withKey();
    bench.web.on(ENDPOINT.claim, json(initiated));
    await bench.agent.startClaim({ email: 'alice@example.com' });
    bench.web.on(
      COMPLETE,
      json({ error: 'invalid_request', message: 'user_code: Required' }, 400),
      json({ registration_id: 'reg_1', status: 'claimed' }),
    );
    expect((await bench.agent.submitCode({ code: new Secret('012345') })).status).toBe('claimed');
    expect(bench.web.sent(COMPLETE).map(members)).toEqual([
      { claim_token: 'clm_1', otp: '012345' },
      { claim_token: 'clm_1', user_code: '012345' },
    ]);
  });

  it('exchanges what it had again, where an assertion reaches further now (0.2, 0.3)', async () => {
    const bench = new Bench();
    bench.web
      .on(
        ENDPOINT.serverMetadata,
        json(serverMetadata({ grant_types_supported: [], agent_auth: agentAuth() })),
      )
      .on(
        ENDPOINT.identity,
        json({
          registration_id: 'reg_1',
          registration_type: 'anonymous',
          identity_assertion: 'assertion-1',
          assertion_expires: later(60),
          claim_token: 'clm_1',
        }),
      )
      .on(ENDPOINT.claim, json(initiated))
      .on(COMPLETE, json({ registration_id: 'reg_1', status: 'claimed' }));
    await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    await bench.agent.startClaim({ email: 'alice@example.com' });
    expect(await bench.stored()).toMatchObject({ dialect: 'first' });
    const done = await bench.agent.submitCode({ code: new Secret('012345') });
    expect(done).toMatchObject({ status: 'claimed' });
    expect(bench.web.sent(ENDPOINT.token).map((one) => members(one)['assertion'])).toEqual([
      'assertion-1',
      'assertion-1',
    ]);
  });
});
