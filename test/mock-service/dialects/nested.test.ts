import { describe, expect, it } from 'vitest';
import { decodeJwt, MINUTE } from '../../../src/protocol/index.ts';
import { BASE } from '../harness.ts';
import {
  ALICE,
  bodyOf,
  byEmail,
  claimed,
  codeOn,
  confirm,
  redeem,
  refresh,
  scopeOf,
  startClaim,
  startNested,
} from './nested-harness.ts';

// What is answered where nothing goes wrong is in the golden transcripts: test/dialects/twins.test.ts.

it('does not support the claim grant, which its metadata does not list', async () => {
  const h = await startNested();
  const { token } = await byEmail(h);
  const { body, status } = await h.poll(token);
  expect([status, body['error']]).toEqual([400, 'unsupported_grant_type']);
});

describe('a registration', () => {
  it('ends with an event about the ID-JAG of its link, and with it what a refresh token brought', async () => {
    const h = await startNested({ users: [{ email: ALICE }] });
    const assertion = await h.provider.idJag();
    const answer = await h.register({ type: 'identity_assertion', assertion });
    const { attempt, token } = bodyOf(answer).claim;
    const done = bodyOf(await redeem(h, token, codeOn(await confirm(h.user(), attempt))));
    const next = bodyOf(await refresh(h, done.identity.refresh_token.value));
    expect(await scopeOf(h, next.identity.assertion)).toBe('api.read api.write');
    const event = await h.provider.event();
    const received = await h.send('POST', '/agent/event/notify', {
      body: event,
      headers: { 'content-type': 'application/secevent+jwt' },
    });
    expect(received.status).toBe(202);
    expect(await scopeOf(h, next.identity.assertion)).toBe('invalid_grant');
    const over = await refresh(h, next.identity.refresh_token.value);
    expect([over.status, over.body['error']]).toEqual([401, 'invalid_refresh_token']);
  });

  it('says why it refuses, in its own words', async () => {
    const h = await startNested({ identityTypes: ['service_auth'] });
    const refusal = async (members: object) => {
      const { body, status } = await h.register(members);
      expect(body['message']).toEqual(expect.any(String));
      expect(body).not.toHaveProperty('error_description');
      return [status, body['error']];
    };
    expect(await refusal({ type: 'anonymous' })).toEqual([400, 'anonymous_registration_disabled']);
    expect(await refusal({ type: 'identity_assertion', assertion: 'x' })).toEqual([
      403,
      'auth_method_disabled',
    ]);
    expect(await refusal({ type: 'service_auth', login_hint: 'nobody' })).toEqual([
      400,
      'invalid_login_hint',
    ]);
    expect(await refusal({ type: 'service_auth' })).toEqual([400, 'invalid_request']);
    expect(await refusal({ type: 'service_auth', login_hint: 7 })).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await refusal({ type: 'verified_email' })).toEqual([400, 'invalid_request']);
    expect(await refusal({})).toEqual([400, 'invalid_request']);
  });

  it('says how long to wait, in the body too', async () => {
    const h = await startNested({ rateLimit: true });
    for (;;) {
      const { body, headers, status } = await h.register({ type: 'anonymous' });
      if (status === 200) continue;
      expect([status, body['error']]).toEqual([429, 'rate_limit_exceeded']);
      expect(body['retry_after']).toBe(Number(headers.get('retry-after')));
      expect(body['retry_after']).toBeGreaterThan(0);
      break;
    }
  });

  it('shows the name that an agent gives itself on the page', async () => {
    const h = await startNested();
    const registered = { type: 'service_auth', login_hint: ALICE, client_name: 'Helper' };
    const { claim } = bodyOf(await h.register(registered));
    const page = await h.user().openSignedIn(claim.attempt.verification_uri, ALICE);
    expect(page.text).toContain('It calls itself Helper.');
  });
});

describe('a claim', () => {
  it('starts with the email of its user alone', async () => {
    const h = await startNested();
    const { claim } = bodyOf(await h.register({ type: 'anonymous' }));
    const refusal = async (members: object) => {
      const answer = await h.post('/agent/identity/claim', members);
      return [answer.status, answer.body['error']];
    };
    const { token } = claim;
    expect(await refusal({ claim_token: token, email: ALICE })).toEqual([400, 'invalid_request']);
    const wrong = { type: 'login_hint', claim_token: token, login_hint: ALICE };
    expect(await refusal(wrong)).toEqual([400, 'invalid_request']);
    const nobody = { type: 'service_auth', claim_token: token, login_hint: 'nobody' };
    expect(await refusal(nobody)).toEqual([400, 'invalid_request']);
    const unknown = { type: 'service_auth', claim_token: 'clm_x', login_hint: ALICE };
    expect(await refusal(unknown)).toEqual([401, 'invalid_claim_token']);
  });

  it('is made with the code that the page shows once its user has confirmed', async () => {
    const h = await startNested();
    const before = bodyOf(await h.register({ type: 'anonymous' }));
    const { token } = before.claim;
    const { attempt } = bodyOf(await startClaim(h, token));
    const { access_token: early } = (await h.exchange(before.identity.assertion)).body;

    const user = h.user();
    const asked = await user.openSignedIn(attempt.verification_uri, ALICE);
    expect(asked.text).toContain('Give an agent access?');
    expect(asked.document.querySelector('input[name=user_code]')).toBeNull();
    expect(asked.document.querySelector('.user-code')).toBeNull();
    expect((await redeem(h, token, '123456')).body['error']).toBe('claim_not_confirmed');

    const shown = await user.submit(asked, '/claim', { decision: 'approve' });
    expect(shown.text).toContain('Read this code to your agent');
    const code = codeOn(shown);
    expect(code).toMatch(/^\d{3} \d{3}$/);
    // Loading the page again, in any browser of the same account, shows it again.
    expect(codeOn(await user.open(shown.url))).toBe(code);
    expect(codeOn(await h.user().openSignedIn(attempt.verification_uri, ALICE))).toBe(code);

    const answer = await redeem(h, token, code);
    const { assertion } = bodyOf(answer).identity;
    expect(decodeJwt(assertion)?.payload).toMatchObject({ sub: before.id, ver: 2, email: ALICE });
    const { access_token: now } = (await h.exchange(assertion)).body;
    expect((await h.call(now, 'POST')).status).toBe(200);
    // What came before the claim is over.
    expect((await h.call(early)).status).toBe(401);
    expect(await scopeOf(h, before.identity.assertion)).toBe('invalid_grant');
    expect((await user.open(shown.url)).text).toContain(
      'The agent has access It has handed in the code.',
    );
  });

  it('is delivered once', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const code = codeOn(await confirm(h.user(), attempt));
    expect((await redeem(h, token, code)).status).toBe(200);
    const again = await redeem(h, token, code);
    expect([again.status, again.body['error']]).toEqual([409, 'already_claimed']);
    const started = await startClaim(h, token);
    expect([started.status, started.body['error']]).toEqual([409, 'already_claimed']);
  });

  it('counts wrong codes, five an attempt', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const code = codeOn(await confirm(h.user(), attempt));
    const wrong = code === '000 000' ? '000001' : '000000';
    for (const left of [4, 3, 2, 1, 0]) {
      const { body, status } = await redeem(h, token, wrong);
      expect([status, body['error'], body['attempts_remaining']]).toEqual([
        401,
        'invalid_user_code',
        left,
      ]);
    }
    const burnt = await redeem(h, token, code);
    expect([burnt.status, burnt.body['error']]).toEqual([429, 'too_many_attempts']);
    const page = await h.user().openSignedIn(attempt.verification_uri, ALICE);
    expect(page.response.status).toBe(429);
    expect(page.document.querySelector('.user-code')).toBeNull();
    // A new attempt has a code of its own, and a page that nobody has confirmed.
    const next = bodyOf(await startClaim(h, token)).attempt;
    expect((await redeem(h, token, code)).body['error']).toBe('claim_not_confirmed');
    const fresh = codeOn(await confirm(h.user(), next));
    expect((await redeem(h, token, fresh)).status).toBe(200);
  });

  it('counts nothing that cannot be a code, and refuses what is none', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const code = codeOn(await confirm(h.user(), attempt));
    const { body } = await redeem(h, token, 'hello');
    expect(body).toMatchObject({ error: 'invalid_user_code', attempts_remaining: 5 });
    for (const members of [
      { claim_token: token },
      { user_code: code },
      { claim_token: token, user_code: 123456 },
    ]) {
      const refused = await h.post('/agent/identity/claim/complete', members);
      expect([refused.status, refused.body['error']]).toEqual([400, 'invalid_request']);
    }
    const unknown = await redeem(h, 'clm_unknown', code);
    expect([unknown.status, unknown.body['error']]).toEqual([401, 'invalid_claim_token']);
  });

  it('takes a code with or without what stands between its digits', async () => {
    for (const spelled of [(code: string) => code, (code: string) => code.replace(' ', '')]) {
      const h = await startNested();
      const { attempt, token } = await byEmail(h);
      const code = codeOn(await confirm(h.user(), attempt));
      expect((await redeem(h, token, spelled(code))).status).toBe(200);
    }
  });

  it('shows letters as they are read out', async () => {
    const h = await startNested({ codeFormat: 'letters:8' });
    const { attempt, token } = await byEmail(h);
    const code = codeOn(await confirm(h.user(), attempt));
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect((await redeem(h, token, code.toLowerCase())).status).toBe(200);
  });

  it('has no code before it is started', async () => {
    const h = await startNested();
    const { claim } = bodyOf(await h.register({ type: 'anonymous' }));
    const { body, status } = await redeem(h, claim.token, '123456');
    expect([status, body['error']]).toEqual([410, 'user_code_expired']);
  });

  it('can be opened again, which ends the code before', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const old = codeOn(await confirm(h.user(), attempt));
    const next = bodyOf(await startClaim(h, token)).attempt;
    expect((await redeem(h, token, old)).body['error']).toBe('claim_not_confirmed');
    const gone = await h.user().openSignedIn(attempt.verification_uri, ALICE);
    expect(gone.response.status).toBe(404);
    const code = codeOn(await confirm(h.user(), next));
    expect((await redeem(h, token, code)).status).toBe(200);
  });

  it('can be denied, before the code is shown or after', async () => {
    for (const isConfirmed of [false, true]) {
      const h = await startNested();
      const { attempt, token } = await byEmail(h);
      const user = h.user();
      if (isConfirmed) await confirm(user, attempt);
      const page = await user.openSignedIn(attempt.verification_uri, ALICE);
      const denied = await user.submit(page, '/claim', { decision: 'deny' });
      expect(denied.text).toContain('Access denied');
      const { body, status } = await redeem(h, token, '123456');
      expect([status, body['error']]).toEqual([403, 'claim_denied']);
      const again = await user.open(attempt.verification_uri);
      expect(again.response.status).toBe(410);
      expect(again.document.querySelector('.user-code')).toBeNull();
    }
  });

  it('ends with its attempt: neither page nor code is of use then', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const user = h.user();
    const code = codeOn(await confirm(user, attempt));
    h.clock.advance(10 * MINUTE);
    const { body, status } = await redeem(h, token, code);
    expect([status, body['error']]).toEqual([410, 'user_code_expired']);
    const page = await user.openSignedIn(attempt.verification_uri, ALICE);
    expect(page.response.status).toBe(410);
    expect(page.document.querySelector('.user-code')).toBeNull();
  });

  it('ends with its window', async () => {
    const h = await startNested();
    const { token } = await byEmail(h);
    h.clock.advance(24 * 60 * MINUTE);
    for (const late of [await redeem(h, token, '123456'), await startClaim(h, token)]) {
      expect([late.status, late.body['error']]).toEqual([410, 'claim_expired']);
    }
  });

  it('shows nothing to another account, which neither confirms nor denies', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const stranger = h.user();
    const page = await stranger.openSignedIn(attempt.verification_uri, 'bob@example.com');
    expect(page.response.status).toBe(403);
    expect(page.text).toContain('This link belongs to another account');
    await confirm(h.user(), attempt);
    const shown = await stranger.open(attempt.verification_uri);
    expect(shown.document.querySelector('.user-code')).toBeNull();
    const csrf = (await stranger.open('/claim'.replace(/^/, BASE))).document;
    expect(csrf.querySelector('.user-code')).toBeNull();
    expect((await redeem(h, token, '123456')).body['error']).toBe('invalid_user_code');
  });

  it('serves programs that act for a signed-in user', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const user = h.user();
    const nobody = await h.send('GET', new URL(attempt.verification_uri).pathname, {
      headers: { accept: 'application/json' },
    });
    expect(nobody.status).toBe(303);
    const page = await user.openSignedIn(attempt.verification_uri, ALICE);
    const seen = async () => {
      const accept = { accept: 'application/json' };
      return (await user.request(page.url, { headers: accept })).json() as Promise<
        Record<string, unknown>
      >;
    };
    const before = await seen();
    expect(Object.keys(before)).toEqual(['registration_type', 'scopes', 'csrf_token']);
    const claim_attempt_token = new URL(page.url).searchParams.get('claim_attempt_token');
    const post = (members: object) =>
      user.request(`${BASE}/claim`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: BASE },
        body: JSON.stringify({ claim_attempt_token, ...members }),
      });
    // Not without the token of the page.
    expect((await post({ decision: 'approve' })).status).toBe(403);
    const { csrf_token } = before;
    const confirmed = await post({ csrf_token, decision: 'approve' });
    const { status, user_code } = (await confirmed.json()) as Record<string, string>;
    expect([confirmed.status, status]).toEqual([200, 'confirmed']);
    expect(await seen()).toMatchObject({ status: 'confirmed', user_code });
    expect((await redeem(h, token, user_code ?? '')).status).toBe(200);
    expect(await seen()).toMatchObject({ status: 'claimed' });
  });

  it('does not confirm by a form of another page', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const user = h.user();
    const page = await user.openSignedIn(attempt.verification_uri, ALICE);
    const field = (name: string) =>
      page.document.querySelector(`input[name=${name}]`)?.getAttribute('value') ?? '';
    const forged = await user.request(`${BASE}/claim`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://elsewhere.test',
      },
      body: new URLSearchParams({
        claim_attempt_token: field('claim_attempt_token'),
        csrf_token: field('csrf_token'),
        decision: 'approve',
      }).toString(),
    });
    expect(forged.status).toBe(403);
    expect((await redeem(h, token, '123456')).body['error']).toBe('claim_not_confirmed');
  });
});

describe('a refresh token', () => {
  it('gets the next assertion and the next refresh token', async () => {
    const h = await startNested();
    const first = await claimed(h);
    h.clock.advance(61 * MINUTE);
    expect(await scopeOf(h, first.assertion)).toBe('invalid_grant');
    const { identity } = bodyOf(await refresh(h, first.refresh_token.value));
    expect(identity.refresh_token.value).not.toBe(first.refresh_token.value);
    expect(await scopeOf(h, identity.assertion)).toBe('api.read api.write');
    expect((await refresh(h, identity.refresh_token.value)).status).toBe(200);
  });

  it('works once: sent again, it ends everything that came of it (RFC 9700 §4.14.2)', async () => {
    const h = await startNested();
    const first = await claimed(h);
    const second = bodyOf(await refresh(h, first.refresh_token.value)).identity;
    const { access_token: token } = (await h.exchange(second.assertion)).body;
    expect((await h.call(token)).status).toBe(200);

    const reused = await refresh(h, first.refresh_token.value);
    expect([reused.status, reused.body['error']]).toEqual([401, 'invalid_refresh_token']);
    expect((await refresh(h, second.refresh_token.value)).body['error']).toBe(
      'invalid_refresh_token',
    );
    expect(await scopeOf(h, second.assertion)).toBe('invalid_grant');
    expect((await h.call(token)).status).toBe(401);
    const actions = (await h.service.controls.audit()).map(({ action }) => action);
    expect(actions).toContain('credentials.ended');
  });

  it('is traded once when it is sent twice at the same time', async () => {
    const h = await startNested();
    const first = await claimed(h);
    const answers = await Promise.all([1, 2].map(() => refresh(h, first.refresh_token.value)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const won = answers.find(({ status }) => status === 200);
    if (won === undefined) throw new Error('None was traded.');
    expect((await refresh(h, bodyOf(won).identity.refresh_token.value)).status).toBe(401);
  });

  it('ends after thirty days, or as configured', async () => {
    for (const [lifetimes, ms] of [
      [{}, 30 * 24 * 60 * MINUTE],
      [{ refreshToken: MINUTE }, MINUTE],
    ] as const) {
      const h = await startNested({ lifetimes });
      const first = await claimed(h);
      h.clock.advance(ms - 1);
      const { refresh_token: next } = bodyOf(await refresh(h, first.refresh_token.value)).identity;
      h.clock.advance(ms);
      const { body, status } = await refresh(h, next.value);
      expect([status, body['error']]).toEqual([401, 'invalid_refresh_token']);
    }
  });

  it('ends when the user ends the access', async () => {
    const h = await startNested();
    const first = await claimed(h);
    const user = h.user();
    const page = await user.openSignedIn(`${BASE}/connections`, ALICE);
    await user.submit(page, '/connections', {});
    const { body, status } = await refresh(h, first.refresh_token.value);
    expect([status, body['error']]).toEqual([401, 'invalid_refresh_token']);
    expect(await scopeOf(h, first.assertion)).toBe('invalid_grant');
  });

  it('is refused when it is unknown, missing or no text', async () => {
    const h = await startNested();
    expect((await refresh(h, 'art_unknown')).body['error']).toBe('invalid_refresh_token');
    for (const members of [{}, { refresh_token: 7 }, { refresh_token: '' }]) {
      const { body, status } = await h.register({ type: 'refresh', ...members });
      expect([status, body['error']]).toEqual([400, 'invalid_request']);
    }
  });
});

describe('the controls', () => {
  it('confirm for the user, and say the code that the page shows', async () => {
    const h = await startNested();
    const { attempt, token } = await byEmail(h);
    const [registration] = await h.service.controls.registrations();
    const id = registration?.facts.id ?? '';
    expect(registration?.userCode).toBeUndefined();
    const confirmed = await h.service.controls.complete(id);
    expect(confirmed.state).toBe('pending');
    const shown = codeOn(await h.user().openSignedIn(attempt.verification_uri, ALICE));
    expect(confirmed.userCode).toBe(shown.replace(' ', ''));
    expect((await redeem(h, token, confirmed.userCode ?? '')).status).toBe(200);
    expect((await h.service.controls.registration(id)).userCode).toBeUndefined();
  });
});

describe('what is recorded', () => {
  it('shows no secret of the nested shape', async () => {
    const h = await startNested();
    const first = await claimed(h);
    const next = bodyOf(await refresh(h, first.refresh_token.value)).identity;
    const text = JSON.stringify(await h.service.controls.exchanges());
    for (const secret of [
      first.assertion,
      first.refresh_token.value,
      next.assertion,
      next.refresh_token.value,
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/clm_|art_|cat_/);
    expect(text).toContain('refresh_token');
  });
});

it('refuses a dialect that there is not, and says which there are', async () => {
  await expect(startNested({ dialect: 'esperanto' as 'flat' })).rejects.toThrow(
    /^dialect cannot be "esperanto"\. Use flat, nested, first\.$/,
  );
});
