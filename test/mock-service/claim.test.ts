import { beforeEach, describe, expect, it } from 'vitest';
import { decodeJwt } from '../../src/protocol/index.ts';
import { type Answer, BASE, ceremonyOf, Harness } from './harness.ts';

const ALICE = 'alice@example.com';
const MINUTE = 60_000;

let h: Harness;
let claimToken: unknown;
let assertion: unknown;
beforeEach(async () => {
  h = await Harness.start();
  ({ claim_token: claimToken, identity_assertion: assertion } = (
    await h.register({ type: 'anonymous' })
  ).body);
});

const error = ({ body, status }: Answer) => [status, body['error']];

describe('starting a claim', () => {
  it('opens an attempt [AR-STATE-4] [AR-EP-5] [AR-OBJ-3] [AR-OBJ-4]', async () => {
    const { body, headers, status } = await h.startClaim(claimToken, ALICE);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      registration_id: expect.stringMatching(/^reg_/),
      claim_attempt_id: expect.stringMatching(/^cla_/),
      status: 'initiated',
      expires_at: new Date(h.clock.now() + 10 * MINUTE).toISOString(),
      claim_attempt: {
        user_code: expect.stringMatching(/^\d{6}$/),
        verification_uri: expect.stringContaining(`${BASE}/c/cat_`),
        expires_in: 600,
        interval: 5,
      },
    });
  });

  it('ends the attempt before: its code and its link', async () => {
    const first = ceremonyOf(await h.startClaim(claimToken, ALICE));
    const second = ceremonyOf(await h.startClaim(claimToken, ALICE));
    expect(second.verification_uri).not.toBe(first.verification_uri);
    const page = await h.user().openSignedIn(first.verification_uri, ALICE);
    expect(page.response.status).toBe(404);
    expect((await h.complete(second, ALICE)).response.status).toBe(200);
  });

  it('reads login_hint as email, and refuses two that differ', async () => {
    const hint = { claim_token: claimToken, login_hint: ALICE };
    expect((await h.post('/agent/identity/claim', hint)).status).toBe(200);
    const both = { ...hint, email: ALICE.toUpperCase() };
    expect((await h.post('/agent/identity/claim', both)).status).toBe(200);
    const differ = { ...hint, email: 'bob@example.com' };
    expect(error(await h.post('/agent/identity/claim', differ))).toEqual([400, 'invalid_request']);
  });

  it('needs an email once, and can do without when one is on record', async () => {
    const bare = { claim_token: claimToken };
    expect(error(await h.post('/agent/identity/claim', bare))).toEqual([400, 'invalid_request']);
    await h.startClaim(claimToken, ALICE);
    expect((await h.post('/agent/identity/claim', bare)).status).toBe(200);
  });

  it('lets an anonymous registration correct its email', async () => {
    await h.startClaim(claimToken, 'wrong@example.com');
    const ceremony = ceremonyOf(await h.startClaim(claimToken, ALICE));
    expect((await h.complete(ceremony, ALICE)).response.status).toBe(200);
  });

  it('holds service_auth to its email', async () => {
    const { body } = await h.register({ type: 'service_auth', login_hint: ALICE });
    expect(error(await h.startClaim(body['claim_token'], 'bob@example.com'))).toEqual([
      403,
      'email_mismatch',
    ]);
  });

  it('refuses an unknown token with 401, a challenge and no hint', async () => {
    const answer = await h.startClaim('clm_unknown', ALICE);
    expect(error(answer)).toEqual([401, 'invalid_claim_token']);
    expect(answer.headers.get('www-authenticate')).toBe('AgentAuth error="invalid_claim_token"');
  });

  it.each([{ email: ALICE }, { claim_token: 5 }, { claim_token: '' }])(
    'refuses %j as invalid_request',
    async (body) => {
      expect(error(await h.post('/agent/identity/claim', body))).toEqual([400, 'invalid_request']);
    },
  );

  it('is over once claimed', async () => {
    await h.complete(ceremonyOf(await h.startClaim(claimToken, ALICE)), ALICE);
    expect(error(await h.startClaim(claimToken, ALICE))).toEqual([409, 'claimed_or_in_flight']);
  });

  it('is over with the outer window', async () => {
    h.clock.advance(24 * 60 * MINUTE);
    expect(error(await h.startClaim(claimToken, ALICE))).toEqual([410, 'claim_expired']);
  });

  it('gives no twenty-first try', async () => {
    for (let round = 0; round < 4; round += 1) {
      const ceremony = ceremonyOf(await h.startClaim(claimToken, ALICE));
      const wrong = ceremony.user_code === '000000' ? '111111' : '000000';
      const page = await h.user().openSignedIn(ceremony.verification_uri, ALICE);
      expect(page.response.status).toBe(200);
      for (let at = 0; at < 5; at += 1) await h.complete(ceremony, ALICE, wrong);
    }
    expect(error(await h.startClaim(claimToken, ALICE))).toEqual([429, 'too_many_attempts']);
    // It lives on, unclaimed, with what it had.
    expect((await h.exchange(assertion)).body['scope']).toBe('api.read');
  });
});

describe('polling', () => {
  it('is pending before and during an attempt [AR-STATE-6] [AR-ERR-2]', async () => {
    expect(error(await h.poll(claimToken))).toEqual([400, 'authorization_pending']);
    await h.startClaim(claimToken, ALICE);
    const answer = await h.poll(claimToken);
    expect(error(answer)).toEqual([400, 'authorization_pending']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is told to slow down, for good', async () => {
    await h.startClaim(claimToken, ALICE);
    await h.poll(claimToken);
    h.clock.advance(3000);
    expect(error(await h.poll(claimToken))).toEqual([400, 'slow_down']);
    h.clock.advance(5000);
    expect(error(await h.poll(claimToken))).toEqual([400, 'slow_down']);
    h.clock.advance(14_000);
    expect(error(await h.poll(claimToken))).toEqual([400, 'authorization_pending']);
  });

  it('gets expired_token when the code is over [AR-STATE-7] [AR-ERR-3]', async () => {
    await h.startClaim(claimToken, ALICE);
    h.clock.advance(10 * MINUTE);
    expect(error(await h.poll(claimToken))).toEqual([400, 'expired_token']);
  });

  it('goes on after the attempt is opened again [AR-STATE-8]', async () => {
    const first = ceremonyOf(await h.startClaim(claimToken, ALICE));
    h.clock.advance(10 * MINUTE);
    await h.poll(claimToken);
    const second = ceremonyOf(await h.startClaim(claimToken, ALICE));
    expect(second.verification_uri).not.toBe(first.verification_uri);
    expect(error(await h.poll(claimToken))).toEqual([400, 'authorization_pending']);
    await h.complete(second, ALICE);
    expect((await h.poll(claimToken)).status).toBe(200);
  });

  it('gets expired_token after the outer window and for an unknown token', async () => {
    expect(error(await h.poll('clm_unknown'))).toEqual([400, 'expired_token']);
    h.clock.advance(24 * 60 * MINUTE);
    expect(error(await h.poll(claimToken))).toEqual([400, 'expired_token']);
  });

  it('gets access_denied after a refusal, until the attempt is opened again', async () => {
    const ceremony = ceremonyOf(await h.startClaim(claimToken, ALICE));
    const user = h.user();
    const page = await user.openSignedIn(ceremony.verification_uri, ALICE);
    await user.submit(page, '/agent/identity/claim/complete', { decision: 'deny' });
    expect(error(await h.poll(claimToken))).toEqual([400, 'access_denied']);
    await h.startClaim(claimToken, ALICE);
    expect(error(await h.poll(claimToken))).toEqual([400, 'authorization_pending']);
  });
});

describe('a completed claim', () => {
  it('delivers a token and an assertion of the second version [AR-STATE-5] [AR-EP-8] [AR-VER-1] [AR-AUTH-2]', async () => {
    await h.complete(ceremonyOf(await h.startClaim(claimToken, ALICE)), ALICE);
    const { body, status } = await h.poll(claimToken);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^at_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'api.read api.write',
      identity_assertion: expect.any(String),
      assertion_expires: new Date(h.clock.now() + 30 * 24 * 60 * MINUTE).toISOString(),
    });
    expect(decodeJwt(String(body['identity_assertion']))?.payload).toMatchObject({
      ver: 2,
      email: ALICE,
      email_verified: true,
    });
    expect((await h.call(body['access_token'], 'POST')).body['user']).toEqual({ email: ALICE });
  });

  it('ends what was issued before it at once (TOK-20) [AR-OBJ-6]', async () => {
    const before = (await h.exchange(assertion)).body['access_token'];
    await h.complete(ceremonyOf(await h.startClaim(claimToken, ALICE)), ALICE);
    expect((await h.call(before)).status).toBe(401);
    expect(error(await h.exchange(assertion))).toEqual([400, 'invalid_grant']);
  });

  it('keeps the pre-claim scope while the claim is under way (AMD-04)', async () => {
    await h.startClaim(claimToken, ALICE);
    expect((await h.exchange(assertion)).body['scope']).toBe('api.read');
    expect(error(await h.exchange(assertion, { scope: 'api.write' }))).toEqual([
      400,
      'invalid_scope',
    ]);
  });

  it('is redelivered for a while: same assertion, one active token', async () => {
    await h.complete(ceremonyOf(await h.startClaim(claimToken, ALICE)), ALICE);
    const first = await h.collect(claimToken);
    h.clock.advance(MINUTE);
    const second = await h.collect(claimToken);
    const claims = (body: Record<string, unknown>) =>
      decodeJwt(String(body['identity_assertion']))?.payload;
    expect(claims(second)).toEqual(claims(first));
    expect((await h.call(first['access_token'])).status).toBe(401);
    expect((await h.call(second['access_token'])).status).toBe(200);
    h.clock.advance(9 * MINUTE);
    expect(error(await h.poll(claimToken))).toEqual([400, 'invalid_grant']);
    expect((await h.exchange(first['identity_assertion'])).status).toBe(200);
  });

  it('leaves one active token of twenty parallel polls (TOK-21)', async () => {
    await h.complete(ceremonyOf(await h.startClaim(claimToken, ALICE)), ALICE);
    const answers = await Promise.all(Array.from({ length: 20 }, () => h.poll(claimToken)));
    const calls = await Promise.all(answers.map(({ body }) => h.call(body['access_token'])));
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('can be collected until the window ends, and not after', async () => {
    await h.complete(ceremonyOf(await h.startClaim(claimToken, ALICE)), ALICE);
    h.clock.advance(24 * 60 * MINUTE);
    expect(error(await h.poll(claimToken))).toEqual([400, 'invalid_grant']);
  });

  it('completes a service_auth registration the same way [AR-AUTH-4]', async () => {
    const registered = await h.register({ type: 'service_auth', login_hint: ALICE });
    await h.complete(ceremonyOf(registered), ALICE);
    const tokens = await h.collect(registered.body['claim_token']);
    expect(tokens['scope']).toBe('api.read api.write');
    expect((await h.exchange(tokens['identity_assertion'])).status).toBe(200);
  });

  it('lets one of parallel completions and re-openings win (A-26)', async () => {
    const ceremony = ceremonyOf(await h.startClaim(claimToken, ALICE));
    const user = h.user();
    const page = await user.openSignedIn(ceremony.verification_uri, ALICE);
    const submit = () =>
      user.submit(page, '/agent/identity/claim/complete', {
        user_code: ceremony.user_code,
        decision: 'approve',
      });
    const [first, reopened, second] = await Promise.all([
      submit(),
      h.startClaim(claimToken, ALICE),
      submit(),
    ]);
    const statuses = [first.response.status, second.response.status, reopened.status];
    const poll = (await h.poll(claimToken)).status;
    // Whoever comes first: never an attempt beside a claim, never half of either.
    expect([...statuses, poll]).toEqual(
      reopened.status === 200 ? [404, 404, 200, 400] : [200, 200, 409, 200],
    );
  });
});
