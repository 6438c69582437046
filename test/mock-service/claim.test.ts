import { beforeEach, describe, expect, it } from 'vitest';
import { decodeJwt } from '../../src/protocol/index.ts';
import { type Answer, ceremonyOf, Harness } from './harness.ts';

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
  it('gets expired_token after the outer window and for an unknown token', async () => {
    expect(error(await h.poll('clm_unknown'))).toEqual([400, 'expired_token']);
    h.clock.advance(24 * 60 * MINUTE);
    expect(error(await h.poll(claimToken))).toEqual([400, 'expired_token']);
  });
});

describe('a completed claim', () => {
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
