import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, BASE, ceremonyOf, Harness, type Json, PROVIDER } from './harness.ts';

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});

const notify = (jwt: string, contentType = 'application/secevent+jwt') =>
  h.send('POST', '/agent/event/notify', { body: jwt, headers: { 'content-type': contentType } });
const err = ({ body, status }: Answer) => [status, body['err']];
const register = async (claims: Record<string, unknown> = {}): Promise<Json> =>
  (await h.register({ type: 'identity_assertion', assertion: await h.provider.idJag(claims) }))
    .body;

describe('a revocation event [AR-EVENT-1] [AR-EP-10]', () => {
  it('ends assertions, tokens and the delegation, and answers 202 without a body', async () => {
    const registered = await register();
    const token = (await h.exchange(registered['identity_assertion'])).body['access_token'];
    const answer = await notify(await h.provider.event());
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({});
    expect((await h.call(token)).status).toBe(401);
    const exchanged = await h.exchange(registered['identity_assertion']);
    expect(exchanged.body['error']).toBe('invalid_grant');
  });

  it('starts clean with a later ID-JAG: the user that was made for it is gone', async () => {
    const before = await register();
    await notify(await h.provider.event());
    h.clock.advance(1000);
    const after = await register();
    expect(after['registration_id']).toMatch(/^reg_/);
    expect(after['registration_id']).not.toBe(before['registration_id']);
  });

  it('refuses an ID-JAG that is not newer than the revocation', async () => {
    const early = await h.provider.idJag();
    await notify(await h.provider.event());
    const { body } = await h.register({ type: 'identity_assertion', assertion: early });
    expect(body['error']).toBe('expired');
  });

  it('leaves what rests on a newer ID-JAG alone (SET-10)', async () => {
    const old = await register();
    const oldToken = (await h.exchange(old['identity_assertion'])).body['access_token'];
    h.clock.advance(10_000);
    const recent = await register();
    const toe = h.provider.now - 5;
    expect((await notify(await h.provider.event({ toe }))).status).toBe(202);
    expect((await h.call(oldToken)).status).toBe(401);
    expect((await h.exchange(old['identity_assertion'])).body['error']).toBe('invalid_grant');
    expect((await h.exchange(recent['identity_assertion'])).status).toBe(200);
  });

  it('ends a token that outlived its assertion', async () => {
    const old = await register();
    h.clock.advance(59 * 60_000);
    const token = (await h.exchange(old['identity_assertion'])).body['access_token'];
    h.clock.advance(2 * 60_000);
    const authTime = { auth_time: h.provider.now };
    await register(authTime);
    expect((await h.call(token)).status).toBe(200);
    await notify(await h.provider.event({ toe: h.provider.now - 60 * 60 }));
    expect((await h.call(token)).status).toBe(401);
  });

  it('is not undone by polling again for what it ended', async () => {
    h = await Harness.start({ users: [{ email: 'alice@example.com' }] });
    const assertion = await h.provider.idJag();
    const pending = await h.register({ type: 'identity_assertion', assertion });
    await h.complete(ceremonyOf(pending), 'alice@example.com');
    await h.collect(pending.body['claim_token']);
    h.clock.advance(60_000);
    await register();
    await notify(await h.provider.event({ toe: h.provider.now - 30 }));
    expect((await h.poll(pending.body['claim_token'])).body['error']).toBe('invalid_grant');
  });

  it('has no effect on the same subject of another provider (SET-09, A-27)', async () => {
    const other = 'https://other-provider.test';
    const provider = h.provider;
    h = await Harness.start({
      trust: [{ issuer: PROVIDER }, { issuer: other }],
      fetch: async (url) => provider.fetch(url.replace(other, PROVIDER)),
    });
    const sign = (claims: Record<string, unknown>) => provider.idJag(claims);
    const mine = await h.register({ type: 'identity_assertion', assertion: await sign({}) });
    expect((await notify(await provider.event({ iss: other }))).status).toBe(202);
    expect((await h.exchange(mine.body['identity_assertion'])).status).toBe(200);
  });

  it('takes a toe with a fraction', async () => {
    await register();
    const answer = await notify(await h.provider.event({ toe: h.provider.now + 0.1234567 }));
    expect(answer.status).toBe(202);
  });

  it('has one effect however often it comes (X-07)', async () => {
    await register();
    const event = await h.provider.event();
    expect((await notify(event)).status).toBe(202);
    h.clock.advance(1000);
    const again = await register();
    expect((await notify(event)).status).toBe(202);
    expect((await h.exchange(again['identity_assertion'])).status).toBe(200);
  });

  it('ends a confirmation that is pending', async () => {
    h = await Harness.start({ users: [{ email: 'alice@example.com' }] });
    const pending = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag(),
    });
    await notify(await h.provider.event());
    expect((await h.poll(pending.body['claim_token'])).body['error']).toBe('invalid_grant');
    const started = await h.startClaim(pending.body['claim_token'], 'alice@example.com');
    expect([started.status, started.body['error']]).toEqual([410, 'claim_expired']);
    const page = await h
      .user()
      .openSignedIn(ceremonyOf(pending).verification_uri, 'alice@example.com');
    expect(page.response.status).toBe(410);
  });

  it('ends what a confirmation has delivered', async () => {
    h = await Harness.start({ users: [{ email: 'alice@example.com' }] });
    const pending = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag(),
    });
    await h.complete(ceremonyOf(pending), 'alice@example.com');
    const tokens = await h.collect(pending.body['claim_token']);
    expect((await h.exchange(tokens['identity_assertion'])).status).toBe(200);
    await notify(await h.provider.event());
    expect((await h.call(tokens['access_token'])).status).toBe(401);
    expect((await h.exchange(tokens['identity_assertion'])).body['error']).toBe('invalid_grant');
  });
});

describe('subjects', () => {
  const subId = { format: 'iss_sub', iss: PROVIDER, sub: 'user-1' };

  it.each([
    ['sub_id alone', { sub: undefined, sub_id: subId }, 202],
    ['both, agreeing', { sub_id: subId }, 202],
    ['both, differing', { sub: 'user-2', sub_id: subId }, 'invalid_request'],
    [
      'another format',
      { sub: undefined, sub_id: { format: 'email', email: 'a@b' } },
      'invalid_request',
    ],
    [
      'sub_id without a sub',
      { sub: undefined, sub_id: { ...subId, sub: undefined } },
      'invalid_request',
    ],
    [
      'the subject of another issuer',
      { sub: undefined, sub_id: { ...subId, iss: BASE } },
      'access_denied',
    ],
    ['no subject', { sub: undefined }, 'invalid_request'],
  ])('%s', async (_what, claims, expected) => {
    const registered = await register();
    const answer = await notify(await h.provider.event(claims));
    expect(answer.body['err'] ?? answer.status).toBe(expected);
    const { status } = await h.exchange(registered['identity_assertion']);
    expect(status).toBe(expected === 202 ? 400 : 200);
  });
});

describe('events that are not ours to act on', () => {
  it('of unknown types are accepted and ignored (SET-08)', async () => {
    const registered = await register();
    const answer = await notify(
      await h.provider.event({ sub: undefined, events: { 'https://x.test/other': { a: 1 } } }),
    );
    expect(answer.status).toBe(202);
    expect((await h.exchange(registered['identity_assertion'])).status).toBe(200);
  });

  it('of unknown types are not judged by their subject', async () => {
    const event = { sub: undefined, sub_id: { format: 'email', email: 'a@b.test' } };
    const events = { 'https://x.test/other': {} };
    expect((await notify(await h.provider.event({ ...event, events }))).status).toBe(202);
  });

  it('of another vendor mean the same when they end the same', async () => {
    const registered = await register();
    const type = 'https://schemas.acme.test/events/agent/identity/assertion/revoked';
    await notify(await h.provider.event({ events: { [type]: { reason: 'ignored' } } }));
    expect((await h.exchange(registered['identity_assertion'])).status).toBe(400);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.test' }, {}, 'invalid_issuer'],
    ['another audience', { aud: 'https://other.test' }, {}, 'invalid_audience'],
    ['an audience with a slash', { aud: `${BASE}/` }, {}, 'invalid_audience'],
    ['no audience', { aud: undefined }, {}, 'invalid_request'],
    ['no events', { events: undefined }, {}, 'invalid_request'],
    ['empty events', { events: {} }, {}, 'invalid_request'],
    ['events as an array', { events: [] }, {}, 'invalid_request'],
    ['an event that is no object', { events: { x: true } }, {}, 'invalid_request'],
    ['no jti', { jti: undefined }, {}, 'invalid_request'],
    ['a jti of 514 bytes', { jti: 'é'.repeat(257) }, {}, 'invalid_request'],
    ['a sub of 514 bytes', { sub: 'é'.repeat(257) }, {}, 'invalid_request'],
    [
      'a subject of 514 bytes',
      { sub: undefined, sub_id: { format: 'iss_sub', iss: PROVIDER, sub: 'é'.repeat(257) } },
      {},
      'invalid_request',
    ],
    ['crit', {}, { b64: true, crit: ['b64'] }, 'invalid_key'],
    ['b64', {}, { b64: true }, 'invalid_key'],
    ['a toe before all times', { toe: -1e300 }, {}, 'invalid_request'],
    ['no iat', { iat: undefined }, {}, 'invalid_request'],
    ['another type', {}, { typ: 'JWT' }, 'invalid_request'],
    ['the type of an ID-JAG', {}, { typ: 'oauth-id-jag+jwt' }, 'invalid_request'],
    ['an unknown key', {}, { kid: 'other' }, 'invalid_key'],
  ])('%s is refused (PSH-03, PSH-04)', async (_what, claims, header, expected) => {
    const answer = await notify(await h.provider.event(claims, header));
    expect(err(answer)).toEqual([400, expected]);
    expect(answer.headers.get('content-language')).toBe('en');
    expect(answer.body['description']).toEqual(expect.any(String));
  });

  it('take an array of audiences that contains ours', async () => {
    const answer = await notify(await h.provider.event({ aud: ['https://other.test', BASE] }));
    expect(answer.status).toBe(202);
  });

  it('are refused as authentication_failed when the signature is wrong', async () => {
    const [head, , signature] = (await h.provider.event()).split('.');
    const [, otherBody] = (await h.provider.event({ sub: 'user-9' })).split('.');
    expect(err(await notify(`${head}.${otherBody}.${signature}`))).toEqual([
      400,
      'authentication_failed',
    ]);
  });

  it('come back later when the keys cannot be fetched: never 400', async () => {
    h.provider.reachable = false;
    const answer = await notify(await h.provider.event());
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  it.each(['application/json', 'application/jwt', ''])(
    '415 for the media type %j',
    async (type) => {
      expect((await notify(await h.provider.event(), type)).status).toBe(415);
    },
  );

  it.each(['', 'garbage', '{"iss":"x"}', 'a.b.c'])('refuses the body %j', async (body) => {
    expect(err(await notify(body))).toEqual([400, 'invalid_request']);
  });

  it('an ID-JAG is no event, and an event no ID-JAG (SET-07)', async () => {
    expect(err(await notify(await h.provider.idJag()))).toEqual([400, 'invalid_request']);
    const { body } = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.event(),
    });
    expect(body['error']).toBe('invalid_request');
  });
});
