import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../support/test-user.ts';
import { BASE, type Ceremony, ceremonyOf, Harness } from './harness.ts';

const ALICE = 'alice@example.com';
const BOB = 'bob@example.com';
const COMPLETE = '/agent/identity/claim/complete';

let h: Harness;
let ceremony: Ceremony;
let claimToken: unknown;
beforeEach(async () => {
  h = await Harness.start();
  const registered = await h.register({ type: 'service_auth', login_hint: ALICE });
  ceremony = ceremonyOf(registered);
  claimToken = registered.body['claim_token'];
});

const attemptToken = () => new URL(ceremony.verification_uri).pathname.replace('/c/', '');

describe('the way to the claim screen', () => {
  it('is a link that is short enough to type', () => {
    expect(ceremony.verification_uri).toBe(`${BASE}/c/${attemptToken()}`);
    expect('http://127.0.0.1:4800/c/'.length + attemptToken().length).toBeLessThan(80);
  });

  it('is one redirect of that link: to the sign-in, or to the claim page of who is signed in', async () => {
    const goal = `/claim?claim_attempt_token=${attemptToken()}`;
    const user = h.user();
    const first = await user.request(ceremony.verification_uri);
    expect([first.status, first.headers.get('location')]).toEqual([
      303,
      `/login?return_to=${encodeURIComponent(goal)}`,
    ]);
    await user.openSignedIn(ceremony.verification_uri, ALICE);
    const second = await user.request(ceremony.verification_uri);
    expect([second.status, second.headers.get('location')]).toEqual([303, goal]);
    expect(second.headers.get('cache-control')).toContain('no-store');
  });

  it('leads nowhere else, whatever the link holds', async () => {
    for (const token of ['//evil.example', 'x&y=z', '..%2f..%2fevil', '%0d%0ax: 1', '']) {
      const { status, headers } = await h.user().request(`${BASE}/c/${token}`);
      const location = headers.get('location');
      expect([303, 404]).toContain(status);
      if (location !== null) expect(location).toMatch(/^\/login\?return_to=%2Fclaim%3F[\w%.-]*$/);
    }
  });

  it('leads through the sign-in [AR-AUTH-4]', async () => {
    const user = h.user();
    const signIn = await user.open(ceremony.verification_uri);
    expect(signIn.text).toContain('any email, no password');
    const claim = await user.submit(signIn, '/login', { email: ALICE });
    expect(new URL(claim.url).pathname).toBe('/claim');
    expect(claim.text).toContain(`Signed in as ${ALICE}`);
    expect(claim.text).toContain('Example Service');
    expect(claim.text).toContain('api.read');
    expect(claim.text).toContain('api.write');
    expect(claim.text).toContain('10 minutes');
    expect(claim.text).toContain('This is the first agent on this account.');
    expect(claim.text).toContain('Continue only if you started this yourself.');
    expect(claim.document.querySelector('input[name=user_code]')).not.toBeNull();
  });

  it('shows the code nowhere (DEV-11)', async () => {
    const page = await h.user().openSignedIn(ceremony.verification_uri, ALICE);
    expect(page.document.toString()).not.toContain(ceremony.user_code);
    expect(page.document.toString()).not.toContain(String(claimToken));
  });

  it('asks to sign in again when the link is opened without a session', async () => {
    const user = h.user();
    const page = await user.open(`${BASE}/claim?claim_attempt_token=${attemptToken()}`);
    expect(new URL(page.url).pathname).toBe('/login');
    const claim = await user.submit(page, '/login', { email: ALICE });
    expect(claim.response.status).toBe(200);
    expect(claim.document.querySelector('input[name=user_code]')).not.toBeNull();
  });

  it('does not call a second agent the first, where a provider made the account', async () => {
    const register = async (sub: string) =>
      h.register({
        type: 'identity_assertion',
        assertion: await h.provider.idJag({ sub, email: 'made@example.com' }),
      });
    await register('user-1');
    const user = h.user();
    const review = await user.openSignedIn(`${BASE}/connections`, 'made@example.com');
    await user.submit(review, '/connections/review', { decision: 'keep' });
    const page = await user.open(ceremonyOf(await register('user-2')).verification_uri);
    expect(page.text).toContain('Example Provider');
    expect(page.text).not.toContain('first agent');
    expect(page.text).not.toContain('never spoken');
  });

  it('names the provider from the trust list, and that it is new here (AMD-06)', async () => {
    await h.user().openSignedIn(`${BASE}/login`, ALICE);
    const asked = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag({ name: '<b>Evil Bank</b>', client_name: 'Evil Bank' }),
    });
    const page = await h.user().openSignedIn(ceremonyOf(asked).verification_uri, ALICE);
    expect(page.text).toContain('Example Provider');
    expect(page.text).toContain('not identified the user of this account before');
    expect(page.text).not.toContain('Evil Bank');
  });
});

describe('completing [AR-EP-6] [AR-OBJ-5]', () => {
  const open = () => h.user().openSignedIn(ceremony.verification_uri, ALICE);

  it('takes the code with spaces and dashes', async () => {
    const code = ceremony.user_code;
    const page = await h.complete(ceremony, ALICE, ` ${code.slice(0, 3)}-${code.slice(3)} `);
    expect(page.response.status).toBe(200);
    expect(page.text).toContain('The agent has access');
    expect((await h.poll(claimToken)).status).toBe(200);
  });

  it('can be done again by the same account', async () => {
    await h.complete(ceremony, ALICE);
    const again = await open();
    expect(again.text).toContain('The agent has access');
  });

  it('counts wrong codes and burns the attempt at the fifth', async () => {
    const wrong = ceremony.user_code === '000000' ? '111111' : '000000';
    for (const left of ['4 tries are', '3 tries are', '2 tries are', 'One try is']) {
      const page = await h.complete(ceremony, ALICE, wrong);
      expect(page.response.status).toBe(400);
      expect(page.text).toContain(`${left} left`);
    }
    const last = await h.complete(ceremony, ALICE, wrong);
    expect(last.text).toContain('no tries are left');
    expect(last.document.querySelector('input[name=user_code]')).toBeNull();
    const burnt = await open();
    expect(burnt.response.status).toBe(429);
    expect((await h.poll(claimToken)).body['error']).toBe('expired_token');
  });

  it('does not count what is no code', async () => {
    for (const typed of ['', '12345', 'abcdef', '1234567', '١٢٣٤٥٦']) {
      const page = await h.complete(ceremony, ALICE, typed);
      expect(page.text).toContain('A code has six digits.');
    }
    const code = ceremony.user_code === '000000' ? '000001' : '000000';
    expect((await h.complete(ceremony, ALICE, code)).text).toContain('4 tries are left');
  });

  it('is refused to another account, which learns little', async () => {
    const user = h.user();
    const page = await user.openSignedIn(ceremony.verification_uri, BOB);
    expect(page.response.status).toBe(403);
    expect(page.text).toContain('a•••@example.com');
    expect(page.text).not.toContain(ALICE);
    const signIn = await user.submit(page, '/logout', {});
    const claim = await user.submit(signIn, '/login', { email: ALICE });
    expect(claim.document.querySelector('input[name=user_code]')).not.toBeNull();
  });

  it('can be refused, without a code', async () => {
    const user = h.user();
    const page = await user.openSignedIn(ceremony.verification_uri, ALICE);
    const denied = await user.submit(page, COMPLETE, { decision: 'deny' });
    expect([denied.response.status, denied.text]).toEqual([
      200,
      expect.stringContaining('Access denied'),
    ]);
    expect((await h.poll(claimToken)).body['error']).toBe('access_denied');
    expect((await open()).response.status).toBe(410);
  });

  it('is over with the attempt', async () => {
    const user = h.user();
    const page = await user.openSignedIn(ceremony.verification_uri, ALICE);
    h.clock.advance(600_000);
    const late = await user.submit(page, COMPLETE, { user_code: ceremony.user_code });
    expect(late.response.status).toBe(410);
  });
});

describe('completing as JSON [AR-EP-6] [AR-OBJ-5]', () => {
  async function signedIn(email = ALICE) {
    const user = h.user();
    await user.openSignedIn(`${BASE}/login`, email);
    const url = `${BASE}/claim?claim_attempt_token=${attemptToken()}`;
    const show = await user.request(url, { headers: { accept: 'application/json' } });
    const shown = (await show.json()) as Record<string, unknown>;
    const submit = async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
      const response = await user.request(BASE + COMPLETE, {
        method: 'POST',
        body: JSON.stringify({ claim_attempt_token: attemptToken(), ...body }),
        headers: {
          'content-type': 'application/json',
          'x-csrf-token': String(shown['csrf_token']),
          ...headers,
        },
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    return { show, shown, submit };
  }

  it('shows what is asked for, and completes', async () => {
    const { shown, submit } = await signedIn();
    expect(shown).toEqual({
      registration_type: 'service_auth',
      scopes: ['api.read', 'api.write'],
      csrf_token: expect.any(String),
    });
    const claimed = { status: 'claimed', registration_id: expect.stringMatching(/^reg_/) };
    const code = { user_code: ceremony.user_code };
    expect(await submit(code)).toEqual({ status: 200, body: claimed });
    expect(await submit(code)).toEqual({ status: 200, body: claimed });
    expect(await submit({ decision: 'deny' })).toMatchObject({
      status: 409,
      body: { error: 'already_claimed' },
    });
  });

  it('answers each outcome with its code', async () => {
    const { submit } = await signedIn();
    expect(await submit({ user_code: 'abc' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_user_code', attempts_remaining: 5 },
    });
    expect(await submit({})).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await submit({ claim_attempt_token: 'cat_x', user_code: '1' })).toMatchObject({
      status: 404,
      body: { error: 'invalid_claim_attempt' },
    });
    expect(await submit({ decision: 'deny' })).toMatchObject({ status: 200 });
    expect(await submit({ decision: 'deny' })).toMatchObject({ body: { status: 'denied' } });
    expect(await submit({ user_code: ceremony.user_code })).toMatchObject({
      status: 410,
      body: { error: 'claim_attempt_expired' },
    });
  });

  it('is answered in the kind that was posted, whatever is accepted', async () => {
    const { submit } = await signedIn();
    const wrong = await submit({ user_code: 'abc' }, { accept: 'text/html, application/json' });
    expect(wrong.body['error']).toBe('invalid_user_code');
  });

  it('needs a session, the right account and the CSRF token', async () => {
    const bare = await h.post(COMPLETE, { claim_attempt_token: attemptToken(), user_code: '1' });
    expect([bare.status, bare.body['error']]).toEqual([401, 'login_required']);
    const { show } = await signedIn(BOB);
    expect(show.status).toBe(403);
    const { submit } = await signedIn();
    expect(await submit({ user_code: ceremony.user_code }, { 'x-csrf-token': 'x' })).toMatchObject({
      status: 403,
      body: { error: 'csrf_failed' },
    });
  });
});

describe('what a page must withstand', () => {
  it('a form from another site, or without our token (A-13)', async () => {
    const user = h.user();
    const page = await user.openSignedIn(ceremony.verification_uri, ALICE);
    const fields = { claim_attempt_token: attemptToken(), user_code: ceremony.user_code };
    const csrf = page.document.querySelector('input[name=csrf_token]')?.getAttribute('value') ?? '';
    const send = async (headers: Record<string, string>, csrf_token: string) => {
      const response = await user.request(BASE + COMPLETE, {
        method: 'POST',
        body: new URLSearchParams({ ...fields, csrf_token }),
        headers,
      });
      return response.status;
    };
    expect(await send({ origin: 'https://evil.test' }, csrf)).toBe(403);
    expect(await send({ origin: 'null' }, csrf)).toBe(403);
    expect(await send({ origin: BASE }, '')).toBe(403);
    expect(await send({ origin: BASE }, 'wrong')).toBe(403);
    expect((await h.poll(claimToken)).body['error']).toBe('authorization_pending');
    expect(await send({ origin: 'null', 'sec-fetch-site': 'same-origin' }, csrf)).toBe(200);
  });

  it('frames, scripts, caches and referrers (BCP-02, BCP-04)', async () => {
    const { response } = await h.user().openSignedIn(ceremony.verification_uri, ALICE);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('referrer-policy')).toBe('same-origin');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('hostile text in what it shows (A-30)', async () => {
    h = await Harness.start({ name: '<script>alert(1)</script>' });
    const registered = await h.register({ type: 'service_auth', login_hint: ALICE });
    const link = ceremonyOf(registered).verification_uri;
    const page = await h.user().openSignedIn(link, ALICE);
    expect(page.document.querySelectorAll('script')).toHaveLength(0);
    expect(page.text).toContain('<script>alert(1)</script>');
  });

  it('a session that was there before the sign-in (A-14)', async () => {
    const user = h.user();
    await user.open(ceremony.verification_uri);
    const before = [...user.cookies.values()];
    await user.openSignedIn(ceremony.verification_uri, ALICE);
    expect([...user.cookies.values()]).not.toEqual(before);
  });
});

describe('connections', () => {
  const connectionsOf = async (email: string): Promise<[Page, ReturnType<Harness['user']>]> => {
    const user = h.user();
    return [await user.openSignedIn(`${BASE}/connections`, email), user];
  };

  it('lists what has access, and ends it', async () => {
    await h.complete(ceremony, ALICE);
    const tokens = await h.collect(claimToken);
    const [page, user] = await connectionsOf(ALICE);
    expect(page.text).toContain('An agent that named your email address');
    const after = await user.submit(page, '/connections', {});
    expect(after.text).toContain('No agent has access');
    expect((await h.call(tokens['access_token'])).status).toBe(401);
    const exchanged = await h.exchange(tokens['identity_assertion']);
    expect(exchanged.body['error']).toBe('invalid_grant');
  });

  it("never ends somebody else's", async () => {
    await h.complete(ceremony, ALICE);
    const tokens = await h.collect(claimToken);
    const [alices] = await connectionsOf(ALICE);
    const id = alices.document.querySelector('input[name=registration_id]')?.getAttribute('value');
    await h.claimedAnonymous(BOB);
    const [page, bob] = await connectionsOf(BOB);
    const refused = await bob.submit(page, '/connections', { registration_id: id ?? '' });
    expect(refused.response.status).toBe(404);
    expect((await h.call(tokens['access_token'])).status).toBe(200);
  });

  it('asks at the first sign-in to keep or end the link of the provider that made the account', async () => {
    const register = async () =>
      h.register({
        type: 'identity_assertion',
        assertion: await h.provider.idJag({ email: 'made@example.com' }),
      });
    const { body } = await register();
    const [page, user] = await connectionsOf('made@example.com');
    expect(page.text).toContain('Keep the link to Example Provider?');
    const after = await user.submit(page, '/connections/review', { decision: 'end' });
    expect(after.text).toContain('No agent has access');
    expect((await h.exchange(body['identity_assertion'])).body['error']).toBe('invalid_grant');
    // From here on the account is its owner's: a link needs a yes.
    expect((await register()).body['error']).toBe('interaction_required');
  });

  it('asks that once', async () => {
    const assertion = await h.provider.idJag({ email: 'made@example.com' });
    const { body } = await h.register({ type: 'identity_assertion', assertion });
    const [page, user] = await connectionsOf('made@example.com');
    const after = await user.submit(page, '/connections/review', { decision: 'keep' });
    expect(after.text).toContain('An agent of Example Provider');
    const [again] = await connectionsOf('made@example.com');
    expect(again.text).toContain('Agents with access');
    expect((await h.exchange(body['identity_assertion'])).status).toBe(200);
  });
});
