import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startDiscoveryOnly } from './discovery-only.ts';
import { startOtherNames } from './other-names.ts';
import { startTenMistakes } from './ten-mistakes.ts';
import { ceremonyOf } from './test-agent.ts';
import { TestVisitor } from './test-visitor.ts';
import { email, enterCode, openWorld, type Start, serviceAuth } from './test-world.ts';

describe('the service with discovery alone', () => {
  it('registers an anonymous agent, exchanges its assertion and serves it', async () => {
    const { agent } = await openWorld(startDiscoveryOnly);
    expect(agent.metadata['agent_auth']).toMatchObject({ identity_types_supported: ['anonymous'] });
    const { body } = await agent.register({ type: 'anonymous' });
    const token = (await agent.exchange(body['identity_assertion'])).body['access_token'];
    expect(await agent.call(token)).toBe(200);
    expect(await agent.call('made-up')).toBe(401);
  });

  it('refuses what it does not know, in the envelope of the place', async () => {
    const { agent } = await openWorld(startDiscoveryOnly);
    expect((await agent.register(serviceAuth)).status).toBe(400);
    expect((await agent.poll('x')).body['error']).toBe('unsupported_grant_type');
    expect((await agent.exchange('x')).body['error']).toBe('invalid_grant');
    const token = String(agent.metadata['token_endpoint']);
    expect((await fetch(token)).status).toBe(405);
    const large = { method: 'POST', body: new URLSearchParams({ assertion: 'x'.repeat(1 << 20) }) };
    expect((await fetch(token, large)).status).toBe(413);
  });
});

describe.each<[string, Start]>([
  ['ten mistakes left out', (options) => startTenMistakes({ ...options, mistakes: [] })],
  ['other names', startOtherNames],
])('the service with %s', (_, start) => {
  it('lets a user take over an anonymous agent, and invalidates its earlier tokens', async () => {
    const { agent } = await openWorld(start);
    const { body } = await agent.register({ type: 'anonymous' });
    const before = (await agent.exchange(body['identity_assertion'])).body['access_token'];
    expect([await agent.call(before), await agent.call(before, 'POST')]).toEqual([200, 403]);

    const { code, uri } = ceremonyOf(await agent.claim(body['claim_token'], email));
    expect((await agent.poll(body['claim_token'])).body['error']).toBe('authorization_pending');
    expect((await enterCode(uri, code, email)).response.status).toBe(200);

    const after = await agent.poll(body['claim_token']);
    expect(after.headers.get('cache-control')).toBe('no-store');
    expect(await agent.call(after.body['access_token'], 'POST')).toBe(200);
    expect(await agent.call(before)).toBe(401);
    expect((await agent.exchange(body['identity_assertion'])).body['error']).toBe('invalid_grant');
    expect((await agent.exchange(after.body['identity_assertion'])).status).toBe(200);
  });

  it('gives a fresh code when the first is over, until the outer window ends', async () => {
    const { agent, clock } = await openWorld(start);
    const registered = await agent.register(serviceAuth);
    const claimToken = registered.body['claim_token'];
    clock.now += 11 * 60_000;
    expect((await agent.poll(claimToken)).body['error']).toBe('expired_token');
    expect((await agent.claim(claimToken, 'eve@example.com')).status).toBeGreaterThanOrEqual(400);
    const { code, uri } = ceremonyOf(await agent.claim(claimToken, email));
    expect((await agent.poll(claimToken)).body['error']).toBe('authorization_pending');
    await enterCode(uri, code.toLowerCase(), email);
    expect((await agent.poll(claimToken)).status).toBe(200);
    clock.now += 25 * 3_600_000;
    expect((await agent.poll(claimToken)).status).toBe(400);
  });

  it('turns away the wrong account, and the right one after too many wrong codes', async () => {
    const { agent } = await openWorld(start);
    const { body, ...first } = await agent.register(serviceAuth);
    const { code, uri } = ceremonyOf({ body, ...first });
    expect((await new TestVisitor().signIn(uri, 'eve@example.com')).response.status).toBe(403);
    for (let tries = 0; tries < 5; tries += 1) {
      await enterCode(uri, 'WRONG', email).catch(() => undefined);
    }
    expect((await new TestVisitor().signIn(uri, email)).response.status).toBe(410);
    expect((await agent.poll(body['claim_token'])).body['error']).toBe('expired_token');
    expect(code).toMatch(/^(\d{6}|[A-Z]{4}-[A-Z]{4})$/);
  });

  it('ends the poll of the agent when the user denies', async () => {
    const { agent } = await openWorld(start);
    const registered = await agent.register(serviceAuth);
    const visitor = new TestVisitor();
    const visit = await visitor.signIn(ceremonyOf(registered).uri, email);
    expect((await visitor.press(visit, /deny|refuse/i)).response.status).toBe(200);
    const claimToken = registered.body['claim_token'];
    expect((await agent.poll(claimToken)).body['error']).toBe('access_denied');
    expect((await agent.claim(claimToken, email)).status).toBe(409);
  });

  it('takes a form only from its own page and session', async () => {
    const { agent } = await openWorld(start);
    const { code, uri } = ceremonyOf(await agent.register(serviceAuth));
    const visitor = new TestVisitor();
    const visit = await visitor.signIn(uri, email);
    const foreign = await visitor.submit(
      visit,
      { user_code: code },
      { Origin: 'https://evil.test' },
    );
    const keyless = await visitor.submit(visit, { user_code: code, csrf: '', form_key: '' });
    expect([foreign.response.status, keyless.response.status]).toEqual([403, 403]);
    expect(visit.response.headers.get('content-security-policy')).toContain('frame-ancestors');
    expect((await visitor.submit(visit, { user_code: code })).response.status).toBe(200);
  });

  it('registers by ID-JAG once, out of fifty at the same time', async () => {
    const { agent, provider } = await openWorld(start);
    const assertion = await provider.idJag(agent.issuer);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => agent.register({ type: 'identity_assertion', assertion })),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    const token = await agent.exchange(good[0]?.body['identity_assertion']);
    expect(await agent.call(token.body['access_token'], 'POST')).toBe(200);
    expect((await agent.exchange(assertion)).body['error']).toBe('invalid_grant');
  });

  it.each([
    ['another audience', { aud: 'https://other.example' }],
    ['no exp', { exp: undefined }],
    ['an exp that is over', { exp: Date.UTC(2029, 11, 31) / 1000 }],
    ['an iat to come', { iat: Date.UTC(2030, 0, 2) / 1000 }],
    ['no jti', { jti: undefined }],
    ['no client', { client_id: undefined }],
    ['an unknown issuer', { iss: 'https://other.example' }],
    ['an old sign-in', { auth_time: Date.UTC(2029, 11, 31) / 1000 }],
    ['an email that is not verified', { email_verified: 'true' }],
  ])('refuses an ID-JAG with %s', async (_name, claims) => {
    const { agent, provider } = await openWorld(start);
    const assertion = await provider.idJag(agent.issuer, claims as Record<string, unknown>);
    const { status, body } = await agent.register({ type: 'identity_assertion', assertion });
    expect([400, 401]).toContain(status);
    expect(body).not.toHaveProperty('identity_assertion');
  });

  it('refuses an ID-JAG for a second audience too, and one with a forged head', async () => {
    const { agent, provider } = await openWorld(start);
    const aud = [agent.issuer, 'https://other.example'];
    const [, payload = '', signature = ''] = (await provider.idJag(agent.issuer)).split('.');
    const encode = (head: object) => Buffer.from(JSON.stringify(head)).toString('base64url');
    const typ = 'oauth-id-jag+jwt';
    const keyed = `${encode({ alg: 'HS256', kid: 'p1', typ })}.${payload}`;
    const secret = createHmac('sha256', 'a public key').update(keyed).digest('base64url');
    const forged = [
      await provider.idJag(agent.issuer, { aud }),
      `${encode({ alg: 'none', typ })}.${payload}.`,
      `${keyed}.${secret}`,
      `${encode({ alg: 'ES256', kid: 'p1', typ, crit: ['made-up'] })}.${payload}.${signature}`,
      `${encode({ alg: 'ES256', kid: 'unknown', typ })}.${payload}.${signature}`,
    ];
    for (const assertion of forged) {
      const { status } = await agent.register({ type: 'identity_assertion', assertion });
      expect(status, assertion).toBe(400);
    }
  });

  it('keeps the keys of a provider, and asks again for one that it does not know', async () => {
    const { agent, provider } = await openWorld(start);
    const register = async () =>
      (
        await agent.register({
          type: 'identity_assertion',
          assertion: await provider.idJag(agent.issuer),
        })
      ).status;
    expect([await register(), await register(), provider.fetches()]).toEqual([200, 200, 1]);
    await provider.rotate();
    expect([await register(), provider.fetches()]).toEqual([200, 2]);
  });

  it('asks the owner of an existing account, then takes the same ID-JAG', async () => {
    const { agent, provider } = await openWorld(start);
    const other = ceremonyOf(await agent.register(serviceAuth));
    await enterCode(other.uri, other.code, email);
    const request = {
      type: 'identity_assertion',
      assertion: await provider.idJag(agent.issuer),
    };
    const asked = await agent.register(request);
    expect([401, 403]).toContain(asked.status);
    const { code, uri } = ceremonyOf(asked);
    await enterCode(uri, code, email);
    expect((await agent.poll(asked.body['claim_token'])).status).toBe(200);
    expect((await agent.register(request)).status).toBe(200);
    expect((await agent.register(request)).status).toBeGreaterThanOrEqual(400);
  });

  it('revokes a token, and takes an unknown one as revoked', async () => {
    const { agent } = await openWorld(start);
    const { body } = await agent.register({ type: 'anonymous' });
    const token = (await agent.exchange(body['identity_assertion'])).body['access_token'];
    expect((await agent.revoke(token)).status).toBe(200);
    expect((await agent.revoke('made-up')).status).toBe(200);
    expect(await agent.call(token)).toBe(401);
  });

  it('ends what a provider revokes, and nothing of other users', async () => {
    const { agent, provider } = await openWorld(start);
    const assertion = await provider.idJag(agent.issuer);
    const { body } = await agent.register({ type: 'identity_assertion', assertion });
    const token = (await agent.exchange(body['identity_assertion'])).body['access_token'];
    const elsewhere = { format: 'iss_sub', iss: 'https://other.example', sub: 'user-1' };
    const strange = await agent.notify(await provider.event(agent.issuer, { sub_id: elsewhere }));
    expect([strange.status, strange.headers.get('content-language')]).toEqual([400, 'en']);
    expect((await agent.notify(await provider.event('https://other.example'))).status).toBe(400);
    expect(await agent.call(token)).toBe(200);
    const event = await provider.event(agent.issuer, {
      aud: ['https://other.example', agent.issuer],
    });
    expect((await agent.notify(event)).status).toBe(202);
    expect((await agent.notify(event)).status).toBe(202);
    expect(await agent.call(token)).toBe(401);
    expect((await agent.exchange(body['identity_assertion'])).body['error']).toBe('invalid_grant');
  });
});
