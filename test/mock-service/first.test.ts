import { describe, expect, it } from 'vitest';
import type { MockServiceOptions } from '../../src/mock-service/index.ts';
import { DAY, ID_JAG_TOKEN_TYPE, MINUTE } from '../../src/protocol/index.ts';
import { BASE, Harness } from './harness.ts';

const ALICE = 'alice@example.com';

const start = (options: Partial<MockServiceOptions> = {}) =>
  Harness.start({ dialect: 'first', ...options });

const anonymous = { type: 'anonymous', requested_credential_type: 'api_key' };
// What is answered where nothing goes wrong is in the golden transcripts: test/dialects/twins.test.ts.

const byEmail = { type: 'identity_assertion', assertion_type: 'verified_email', assertion: ALICE };

/** The newest mail to Alice. */
async function mailOf(h: Harness, to = ALICE) {
  const [mail] = await h.service.controls.mails({ to });
  if (mail === undefined) throw new Error('There is no mail.');
  return mail;
}

describe('the dialect first', () => {
  it('has no token endpoint, and a skill file of its own', async () => {
    const h = await start();
    expect((await h.form('/oauth2/token', {})).status).toBe(404);
    expect((await h.send('GET', '/auth.md')).body['text']).toContain('"otp":"%s"');
  });

  it('answers an anonymous registration with a key that no time ends', async () => {
    const h = await start();
    const { body } = await h.register(anonymous);
    h.clock.advance(40 * DAY);
    // Something is purged with each registration.
    await h.register(anonymous);
    expect((await h.call(body['credential'])).status).toBe(200);
    expect((await h.call(body['credential'], 'POST')).body['error']).toBe('insufficient_scope');
  });

  it('has to be told which credential is wanted', async () => {
    const h = await start();
    for (const body of [
      { type: 'anonymous' },
      { ...anonymous, requested_credential_type: 'jwt' },
    ]) {
      const answer = await h.register(body);
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'invalid_request', message: 'requested_credential_type must be api_key.' },
      ]);
    }
  });

  it('mails a code for a registration by email at once', async () => {
    const h = await start();
    const { body } = await h.register(byEmail);
    expect(body['registration_type']).toBe('email-verification');
    expect(body).not.toHaveProperty('credential');
    expect(body).not.toHaveProperty('claim');
    const { link = '', text, userCode = '' } = await mailOf(h);
    expect(userCode).toMatch(/^\d{6}$/);
    expect(text).toContain(link);
    expect(text).toContain(userCode);
    expect(link).toMatch(`${BASE}/c/cat_`);
  });

  it('mails a code when a claim is started', async () => {
    const h = await start();
    const { body } = await h.register(anonymous);
    await h.startClaim(body['claim_token'], ALICE);
    expect((await mailOf(h)).registrationId).toBe(body['registration_id']);
  });

  it('links an ID-JAG in silence, and answers with a key; with link_existing ask it mails a code', async () => {
    for (const [linkExisting, status] of [
      [undefined, 200],
      ['ask', 401],
    ] as const) {
      const h = await start({ users: [{ email: ALICE }], ...(linkExisting && { linkExisting }) });
      const answer = await h.register({
        type: 'identity_assertion',
        assertion_type: ID_JAG_TOKEN_TYPE,
        assertion: await h.provider.idJag(),
      });
      expect(answer.status).toBe(status);
      expect(answer.body['registration_type']).toBe('agent-provider');
      expect('credential' in answer.body).toBe(status === 200);
      expect(await h.service.controls.mails()).toHaveLength(status === 200 ? 0 : 1);
    }
  });
});

describe('the mailbox', () => {
  it('shows the mails of the signed-in user, to nobody else', async () => {
    const h = await start();
    await h.register(byEmail);
    const { userCode = '' } = await mailOf(h);
    const page = await h.user().openSignedIn(`${BASE}/mails`, ALICE);
    expect(page.text).toContain(userCode);
    expect((await h.user().openSignedIn(`${BASE}/mails`, 'bob@example.com')).text).toContain(
      'No mail yet.',
    );
    const asProgram = await h.send('GET', '/mails', { headers: { accept: 'application/json' } });
    expect([asProgram.status, asProgram.body['error']]).toEqual([401, 'login_required']);
  });

  it.each(['flat', 'nested'] as const)(
    'says in %s, which mails nothing, that it is so',
    async (dialect) => {
      const h = await Harness.start({ dialect });
      const { text } = await h.user().openSignedIn(`${BASE}/mails`, ALICE);
      expect(text).toContain('this service mails nothing');
      expect(text).not.toContain('No mail yet');
    },
  );
});

describe('a claim in the dialect first', () => {
  const complete = (h: Harness, claimToken: unknown, otp: string) =>
    h.post('/agent/identity/claim/complete', { claim_token: claimToken, otp });
  const other = (code: string) => `${(Number(code[0]) + 1) % 10}${code.slice(1)}`;

  /** An anonymous registration with a code in Alice's mailbox. */
  async function pending(options: Partial<MockServiceOptions> = {}) {
    const h = await start(options);
    const { body } = await h.register(anonymous);
    await h.startClaim(body['claim_token'], ALICE);
    const { link = '', userCode = '' } = await mailOf(h);
    return { h, body, link, userCode };
  }

  it('widens the key that the agent has', async () => {
    const { body, h, userCode } = await pending();
    await complete(h, body['claim_token'], userCode);
    const written = await h.call(body['credential'], 'POST');
    expect([written.status, written.body['user']]).toEqual([200, { email: ALICE }]);
    const again = await complete(h, body['claim_token'], userCode);
    expect([again.status, again.body['error']]).toEqual([409, 'previously_claimed']);
    expect((await h.startClaim(body['claim_token'], ALICE)).status).toBe(409);
  });

  it('counts wrong codes, and takes no code after five', async () => {
    const { body, h, userCode } = await pending();
    for (const left of [4, 3, 2, 1, 0]) {
      const wrong = await complete(h, body['claim_token'], other(userCode));
      expect([wrong.status, wrong.body['error'], wrong.body['attempts_remaining']]).toEqual([
        401,
        'otp_invalid',
        left,
      ]);
    }
    const late = await complete(h, body['claim_token'], userCode);
    expect([late.status, late.body['error']]).toEqual([429, 'too_many_attempts']);
    expect((await h.call(body['credential'], 'POST')).status).toBe(403);
  });

  it('expires, and is opened again with a new code; the old one is worth nothing', async () => {
    const { body, h, userCode } = await pending();
    h.clock.advance(10 * MINUTE);
    const late = await complete(h, body['claim_token'], userCode);
    expect([late.status, late.body['error']]).toEqual([410, 'otp_expired']);
    await h.startClaim(body['claim_token'], ALICE);
    expect((await complete(h, body['claim_token'], userCode)).body['error']).toBe('otp_invalid');
    const { userCode: newer = '' } = await mailOf(h);
    expect((await complete(h, body['claim_token'], newer)).status).toBe(200);
  });

  it('ends with its window', async () => {
    const { body, h, userCode } = await pending();
    h.clock.advance(DAY);
    const late = await complete(h, body['claim_token'], userCode);
    expect([late.status, late.body['error']]).toEqual([410, 'claim_expired']);
    expect((await h.startClaim(body['claim_token'], ALICE)).body['error']).toBe('claim_expired');
    expect((await h.call(body['credential'])).status).toBe(200);
  });

  it('needs a code that was sent, and a token that is known', async () => {
    const h = await start();
    const { body } = await h.register(anonymous);
    const early = await complete(h, body['claim_token'], '123456');
    expect([early.status, early.body['error']]).toEqual([400, 'otp_not_generated']);
    const unknown = await complete(h, 'clm_unknown', '123456');
    expect([unknown.status, unknown.body['error']]).toEqual([401, 'invalid_claim_token']);
    for (const odd of [{}, { claim_token: body['claim_token'] }, { otp: '123456' }]) {
      const answer = await h.post('/agent/identity/claim/complete', odd);
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['error', 'message']]);
    }
  });

  it('says behind the link what it is for, and can be denied there', async () => {
    const { body, h, link, userCode } = await pending();
    const user = h.user();
    const page = await user.openSignedIn(link, ALICE);
    expect(page.text).toContain('api.write');
    expect(page.text).not.toContain(userCode);
    expect(page.document.querySelectorAll('input[name=user_code]')).toEqual([]);
    const stranger = await h.user().openSignedIn(link, 'bob@example.com');
    expect(stranger.text).toContain('bob@example.com');
    expect(stranger.response.status).toBe(403);
    const denied = await user.submit(page, '/claim', { decision: 'deny' });
    expect(denied.text).toContain('Access denied');
    const late = await complete(h, body['claim_token'], userCode);
    expect([late.status, late.body['error']]).toEqual([403, 'access_denied']);
  });

  it('is not approved by the form of the page', async () => {
    const { body, h, link, userCode } = await pending();
    const user = h.user();
    const page = await user.openSignedIn(link, ALICE);
    const answer = await user.submit(page, '/claim', { decision: 'approve' });
    expect(answer.response.status).toBe(400);
    expect((await h.call(body['credential'], 'POST')).status).toBe(403);
    expect((await complete(h, body['claim_token'], userCode)).status).toBe(200);
  });

  it('ends with an event of the provider, and by its user', async () => {
    const h = await start();
    const idJag = {
      type: 'identity_assertion',
      assertion_type: ID_JAG_TOKEN_TYPE,
      assertion: await h.provider.idJag(),
    };
    const { body } = await h.register(idJag);
    expect((await h.call(body['credential'], 'POST')).status).toBe(200);
    const told = await h.send('POST', '/agent/event/notify', {
      body: await h.provider.event(),
      headers: { 'content-type': 'application/secevent+jwt' },
    });
    expect(told.status).toBe(202);
    expect((await h.call(body['credential'])).status).toBe(401);

    const claimed = await pending();
    await complete(claimed.h, claimed.body['claim_token'], claimed.userCode);
    const user = claimed.h.user();
    const page = await user.openSignedIn(`${BASE}/connections`, ALICE);
    await user.submit(page, '/connections', {});
    expect((await claimed.h.call(claimed.body['credential'])).status).toBe(401);
  });

  it('shows codes in no exchange that is recorded', async () => {
    const { body, h, link, userCode } = await pending();
    const user = h.user();
    await user.openSignedIn(`${BASE}/mails`, ALICE);
    const asJson = await user.request(`${BASE}/mails`, { headers: { accept: 'application/json' } });
    expect(await asJson.text()).toContain(userCode);
    await complete(h, body['claim_token'], userCode);
    const { exchanges } = await h.service.controls.exchanges();
    const text = JSON.stringify(exchanges);
    expect(text).toContain('/mails');
    for (const secret of [userCode, link.split('/').at(-1) ?? '', String(body['credential'])]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('mock complete in the dialect first', () => {
  it('leaves the key of a registration by email to the code in the mail', async () => {
    const h = await start();
    await h.register(byEmail);
    const [made] = await h.service.controls.registrations();
    const id = made?.facts.id ?? '';
    await expect(h.service.controls.complete(id)).rejects.toMatchObject({
      code: 'conflict',
      description: expect.stringContaining('agent-auth mock mails'),
    });
    expect((await h.service.controls.registration(id)).state).toBe('pending');
  });

  it('has the key of an anonymous one reach further', async () => {
    const h = await start();
    const { body } = await h.register(anonymous);
    await h.startClaim(body['claim_token'], ALICE);
    const [made] = await h.service.controls.registrations();
    const done = await h.service.controls.complete(made?.facts.id ?? '');
    expect(done.state).toBe('claimed');
    const headers = { authorization: `Bearer ${String(body['credential'])}` };
    expect((await h.send('POST', '/api/resource', { headers })).status).toBe(200);
  });
});
