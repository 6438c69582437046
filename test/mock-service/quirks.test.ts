import { describe, expect, it } from 'vitest';
import type { MockServiceOptions, QuirkName } from '../../src/mock-service/index.ts';
import { DIALECT_IDS, HOUR } from '../../src/protocol/index.ts';
import { BASE, Harness } from './harness.ts';

const ALICE = 'alice@example.com';

const start = (quirk: QuirkName, options: Partial<MockServiceOptions> = {}) =>
  Harness.start({ quirks: [quirk], ...options });

// The exchange that each changes is in its golden transcript: test/dialects/quirks.test.ts.
describe('the quirks', () => {
  it('answer 201 or 202 where something is made, and to nothing else', async () => {
    for (const [quirk, status] of [
      ['created', 201],
      ['accepted', 202],
    ] as const) {
      const h = await start(quirk);
      const { body, status: made } = await h.register({ type: 'anonymous' });
      const { status: started } = await h.startClaim(body['claim_token'], ALICE);
      const { status: exchanged } = await h.exchange(body['identity_assertion']);
      const { status: refused } = await h.register({ type: 'nothing' });
      expect([made, started, exchanged, refused]).toEqual([status, status, 200, 400]);
    }
  });

  it('spell errors as an object, or as err and description, of every endpoint', async () => {
    const nested = await start('nested-errors');
    expect((await nested.register({ type: 'nothing' })).body).toEqual({
      error: { code: 'invalid_request', message: 'The type is unknown.', retryable: false },
    });
    expect((await nested.exchange('no assertion')).body).toMatchObject({
      error: { code: 'invalid_grant' },
    });
    const err = await start('err-description');
    expect((await err.register({ type: 'nothing' })).body).toEqual({
      err: 'invalid_request',
      description: 'The type is unknown.',
    });
    expect((await err.exchange('no assertion')).body['err']).toBe('invalid_grant');
  });

  it('demand a member, and name it', async () => {
    for (const [quirk, member] of [
      ['required-client-id', 'client_id'],
      ['required-member', 'source'],
    ] as const) {
      const h = await start(quirk);
      const without = await h.register({ type: 'anonymous' });
      expect([without.status, without.body['error_description']]).toEqual([
        400,
        `${member} is missing.`,
      ]);
      expect((await h.register({ type: 'anonymous', [member]: 'x' })).status).toBe(200);
    }
  });

  it('take one body of a claim alone', async () => {
    const bodies = {
      'claim-by-login-hint': { login_hint: ALICE },
      'claim-by-typed-hint': { type: 'login_hint', login_hint: ALICE },
      'claim-by-token-only': {},
    } as const;
    for (const quirk of Object.keys(bodies) as (keyof typeof bodies)[]) {
      const h = await start(quirk);
      const { body } = await h.register({ type: 'service_auth', login_hint: ALICE });
      for (const other of Object.keys(bodies) as (keyof typeof bodies)[]) {
        const members = { claim_token: body['claim_token'], ...bodies[other] };
        const { status } = await h.post('/agent/identity/claim', members);
        expect([quirk, other, status]).toEqual([quirk, other, other === quirk ? 200 : 400]);
      }
      expect((await h.startClaim(body['claim_token'], ALICE)).status).toBe(400);
    }
  });

  it('name endpoints twice', async () => {
    for (const dialect of DIALECT_IDS) {
      const h = await start('both-name-sets', { dialect });
      const { body } = await h.send('GET', '/.well-known/oauth-authorization-server');
      const block = body['agent_auth'] as Record<string, unknown>;
      expect(block['register_uri']).toBe(block['identity_endpoint']);
      expect(block['claim_uri']).toBe(block['claim_endpoint']);
      expect(block['claim_uri']).toMatch(/^https:/);
    }
  });

  it('give a token with an anonymous registration alone, which time ends', async () => {
    const h = await start('token-at-registration');
    const { body } = await h.register({ type: 'anonymous' });
    h.clock.advance(HOUR);
    expect((await h.call(body['access_token'])).status).toBe(401);
    const byEmail = await h.register({ type: 'service_auth', login_hint: ALICE });
    expect(byEmail.body).not.toHaveProperty('access_token');
  });

  it('write assertions that are no JWTs, and read them', async () => {
    const h = await start('opaque-assertions');
    const { body } = await h.register({ type: 'anonymous' });
    expect(body['identity_assertion']).toMatch(/^ias_[\w-]+$/);
    expect((await h.exchange(body['identity_assertion'])).status).toBe(200);
    const jwt = Buffer.from(String(body['identity_assertion']).slice(4), 'base64url').toString();
    expect((await h.exchange(jwt)).body['error']).toBe('invalid_grant');
    const { claim_token: claimToken } = await h.claimedAnonymous(ALICE);
    const { identity_assertion: next } = await h.collect(claimToken);
    expect((await h.exchange(next)).body['scope']).toBe('api.read api.write');
  });

  it('give API keys at the token endpoint, which no time ends', async () => {
    const h = await start('api-key-tokens');
    const { claim_token: claimToken } = await h.claimedAnonymous(ALICE);
    const collected = await h.collect(claimToken);
    expect(collected).toMatchObject({
      access_token: expect.stringMatching(/^sk_test_/),
      credential_type: 'api_key',
    });
    expect(collected).not.toHaveProperty('expires_in');
    h.clock.advance(1000 * 24 * HOUR);
    expect((await h.call(collected['access_token'], 'POST')).status).toBe(200);
  });

  it('mail the code, and then deliver by the claim grant', async () => {
    const h = await start('mailed-code');
    const { body } = await h.register({ type: 'service_auth', login_hint: ALICE });
    expect(body.claim).toEqual({
      complete_url: `${BASE}/agent/identity/claim/complete`,
      expires_in: 600,
      interval: 5,
    });
    expect((await h.poll(body['claim_token'])).body['error']).toBe('authorization_pending');
    const [mail] = await h.service.controls.mails({ to: ALICE });
    const handedIn = (code: unknown) =>
      h.post('/agent/identity/claim/complete', {
        claim_token: body['claim_token'],
        user_code: code,
      });
    expect((await handedIn(undefined)).body['error']).toBe('invalid_request');
    const done = await handedIn(mail?.userCode);
    expect([done.status, done.body]).toEqual([200, { status: 'claimed' }]);
    h.clock.advance(10_000);
    const collected = await h.collect(body['claim_token']);
    expect((await h.call(collected['access_token'], 'POST')).status).toBe(200);
    expect((await h.user().openSignedIn(mail?.link ?? '', ALICE)).text).toContain(
      'The agent has access',
    );
  });

  it('answer flat and nested in one object', async () => {
    const h = await start('both-shapes');
    const byEmail = await h.register({ type: 'service_auth', login_hint: ALICE });
    expect(byEmail.body.claim).toMatchObject({
      token: byEmail.body['claim_token'],
      user_code: expect.stringMatching(/^\d{6}$/),
    });
  });

  it('publish the block with the resource alone', async () => {
    const h = await start('in-resource-metadata', { metadata: { agent_auth: { more: 1 } } });
    const server = await h.send('GET', '/.well-known/oauth-authorization-server');
    expect(server.body).not.toHaveProperty('agent_auth');
    for (const path of ['', '/api/resource']) {
      const { body } = await h.send('GET', `/.well-known/oauth-protected-resource${path}`);
      expect(body['agent_auth']).toMatchObject({
        identity_endpoint: `${BASE}/agent/identity`,
        more: 1,
      });
    }
  });

  it('give a token with a nested registration, and no assertion', async () => {
    const h = await start('token-at-registration', { dialect: 'nested' });
    const { body } = await h.register({ type: 'anonymous' });
    expect(body).not.toHaveProperty('identity');
    expect((await h.call(body['access_token'])).status).toBe(200);
  });
});
