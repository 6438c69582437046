import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import {
  deviceAuthorizationResponse,
  deviceTokenResponse,
  MINUTE,
} from '../../src/protocol/index.ts';
import { type Answer, Harness, ISSUER, open, SERVICE } from './harness.ts';

const error = ({ status, body }: Answer) => [status, body['error']];

describe('device authorization', () => {
  it('gives a code for the agent and one for its user (RFC 8628 §3.2)', async () => {
    const { body, headers, status } = await (await Harness.start()).askForDevice();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(deviceAuthorizationResponse.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      device_code: expect.stringMatching(/^dc_[\w-]{27}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${ISSUER}/device`,
      verification_uri_complete: `${ISSUER}/device?user_code=${body['user_code']}`,
      expires_in: 600,
      interval: 5,
    });
    expect(body['verification_uri']).not.toContain(body['user_code']);
  });

  it('stores neither code', async () => {
    const db = await openDatabase();
    const { device_code, user_code } = await (await Harness.start({ db })).device();
    const rows = JSON.stringify(await db.transaction((tx) => tx.all('SELECT * FROM device_codes')));
    expect(rows).not.toContain(device_code);
    expect(rows).not.toContain(user_code.replace('-', ''));
  });

  it.each([
    ['no client', { client_id: undefined }, 400, 'invalid_request'],
    ['a client that nobody configured', { client_id: 'somebody' }, 400, 'unauthorized_client'],
    ['a client secret', { client_secret: 'x' }, 401, 'invalid_client'],
    ['a client assertion', { client_assertion: 'x' }, 401, 'invalid_client'],
    ['an unknown scope', { scope: 'openid everything' }, 400, 'invalid_scope'],
    ['a scope with a quote', { scope: 'openid "' }, 400, 'invalid_scope'],
    ['an unknown audience', { audience: 'http://evil.example' }, 400, 'invalid_target'],
  ])('refuses %s', async (_what, fields, status, code) => {
    const answer = await (await Harness.start()).askForDevice(fields);
    expect(error(answer)).toEqual([status, code]);
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
  });

  it('says of a client that it turns away not that any is taken', async () => {
    const harness = await Harness.start();
    await harness.askForDevice({ client_id: 'somebody' });
    expect(harness.log.entries.map(({ event }) => event)).not.toContain('clients.open');
  });

  it('refuses client authentication by header and names its scheme', async () => {
    const harness = await Harness.start();
    const headers = { authorization: 'Basic YTpi' };
    const answer = await harness.form('/oauth2/token', { client_id: 'agent-auth' }, headers);
    expect(error(answer)).toEqual([401, 'invalid_client']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  });
});

describe('the device grant', () => {
  it('waits until the user has approved, then gives an ID token', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    expect(error(await harness.poll(device.device_code))).toEqual([400, 'authorization_pending']);
    const signedInAt = harness.now;
    await harness.decideDevice(device, 'alice@example.com', 'approve');
    harness.clock.advance(5000);
    const answer = await harness.poll(device.device_code);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(deviceTokenResponse.safeParse(answer.body).success).toBe(true);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', scope: 'openid email' });
    expect(answer.body['refresh_token']).toBeUndefined();

    const { header, claims } = open(answer.body['id_token']);
    expect(header).toMatchObject({ typ: 'JWT', alg: 'ES256' });
    expect(claims).toEqual({
      iss: ISSUER,
      sub: expect.stringMatching(/^usr_[\w-]{27}$/),
      aud: 'agent-auth',
      jti: expect.any(String),
      iat: harness.now,
      exp: harness.now + 12 * 3600,
      auth_time: signedInAt,
      email: 'alice@example.com',
      email_verified: true,
    });
    await jwtVerify(String(answer.body['id_token']), createLocalJWKSet(await harness.jwks()), {
      currentDate: new Date(harness.clock.now()),
    });
  });

  it('is that of other clients, too, each for its own codes, with a refresh token where it asks', async () => {
    const other = { client_id: 'other', client_secret: 's' };
    const clients = [{ id: 'other', secret: 's' }];
    const harness = await Harness.start({ clients });
    const refused = await harness.askForDevice({ client_id: 'other', client_secret: 'wrong' });
    expect(error(refused)).toEqual([401, 'invalid_client']);
    const named = await harness.askForDevice({ ...other, audience: 'https://service.test' });
    expect(error(named)).toEqual([400, 'invalid_request']);
    const unasked = await harness.askForDevice({ ...other, scope: 'email' });
    expect(error(unasked)).toEqual([400, 'invalid_scope']);
    const device = await harness.device({ ...other, scope: 'openid offline_access unknown' });
    const { text } = await harness.decideDevice(device, 'alice@example.com', 'approve');
    expect(text).toContain('Agent: other');
    expect(error(await harness.poll(device.device_code))).toEqual([400, 'invalid_grant']);
    const first = await harness.poll(device.device_code, other);
    const { body } = await harness.poll(device.device_code, other);
    expect(body).toMatchObject({ scope: 'openid offline_access' });
    expect(open(body['id_token']).claims).toMatchObject({ aud: 'other' });
    const renew = async (token: unknown) =>
      harness.form('/oauth2/token', {
        ...{ ...other, grant_type: 'refresh_token', refresh_token: String(token) },
      });
    // What was given again has ended what was given first.
    expect(error(await renew(first.body['refresh_token']))).toEqual([400, 'invalid_grant']);
    expect((await renew(body['refresh_token'])).status).toBe(200);
  });

  it('tells an early poll to slow down, for good', async () => {
    const harness = await Harness.start();
    const { device_code } = await harness.device();
    const poll = async (wait: number) => {
      harness.clock.advance(wait);
      return (await harness.poll(device_code)).body['error'];
    };
    expect(await poll(0)).toBe('authorization_pending');
    expect(await poll(4000)).toBe('authorization_pending');
    expect(await poll(3999)).toBe('slow_down');
    expect(await poll(8999)).toBe('slow_down');
    expect(await poll(14_000)).toBe('authorization_pending');
    expect(await poll(13_999)).toBe('slow_down');
    expect(await poll(20_000)).toBe('authorization_pending');
  });

  it('never raises the interval beyond a minute', async () => {
    const harness = await Harness.start();
    const { device_code } = await harness.device();
    for (let polls = 0; polls < 30; polls += 1) await harness.poll(device_code);
    harness.clock.advance(59_000);
    expect(error(await harness.poll(device_code))).toEqual([400, 'authorization_pending']);
  });

  it('never hides an answer behind slow_down', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    await harness.poll(device.device_code);
    await harness.decideDevice(device, 'alice@example.com', 'approve');
    expect((await harness.poll(device.device_code)).status).toBe(200);
  });

  it('is over at its very end, approved or not', async () => {
    const harness = await Harness.start();
    const [waiting, approved] = [await harness.device(), await harness.device()];
    await harness.decideDevice(approved, 'alice@example.com', 'approve');
    harness.clock.advance(10 * MINUTE - 1);
    expect(error(await harness.poll(waiting.device_code))).toEqual([400, 'authorization_pending']);
    harness.clock.advance(1);
    for (const { device_code } of [waiting, approved]) {
      expect(error(await harness.poll(device_code))).toEqual([400, 'expired_token']);
    }
  });

  it('says that the user refused, again and again', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    const page = await harness.decideDevice(device, 'alice@example.com', 'deny');
    expect(page.text).toContain('Sign-in denied');
    for (const wait of [0, 0, 20 * MINUTE]) {
      harness.clock.advance(wait);
      expect(error(await harness.poll(device.device_code))).toEqual([400, 'access_denied']);
    }
  });

  it('answers again for a minute, should the answer have been lost, and never after', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    await harness.decideDevice(device, 'alice@example.com', 'approve');
    const first = open((await harness.poll(device.device_code)).body['id_token']);
    harness.clock.advance(MINUTE - 1);
    const second = open((await harness.poll(device.device_code)).body['id_token']);
    expect(second.claims['auth_time']).toBe(first.claims['auth_time']);
    expect(second.claims.jti).not.toBe(first.claims.jti);
    harness.clock.advance(1);
    expect(error(await harness.poll(device.device_code))).toEqual([400, 'invalid_grant']);
  });

  it('knows no other code', async () => {
    const harness = await Harness.start();
    const { user_code } = await harness.device();
    for (const code of ['dc_x', user_code, '../..', "' OR 1=1 --"]) {
      expect(error(await harness.poll(code))).toEqual([400, 'invalid_grant']);
    }
    expect(error(await harness.poll('', {}))).toEqual([400, 'invalid_request']);
  });
});

describe('the device page', () => {
  it('asks who it is first, then for the code, and forgets neither on the way', async () => {
    const harness = await Harness.start();
    const { user_code, verification_uri_complete } = await harness.device();
    const user = harness.newUser();
    const login = await user.open(verification_uri_complete);
    expect(login.url).toBe(
      `${ISSUER}/login?return_to=${encodeURIComponent(`/device?user_code=${user_code}`)}`,
    );
    const question = await user.submit(login, '/login', { email: 'alice@example.com' });
    expect(question.response.status).toBe(200);
    expect(question.text).toContain(user_code);
  });

  it('says what is asked, by whom, as whom, and that one must have started it (RFC 8628 §5.4)', async () => {
    const harness = await Harness.start({ clientName: 'Helper', name: 'Example ID' });
    const { user_code, verification_uri } = await harness.device();
    const user = harness.newUser();
    const form = await user.openSignedIn(verification_uri, 'alice@example.com');
    const question = await user.submit(form, '/device', { user_code });
    for (const words of [
      'Helper',
      'Example ID',
      'alice@example.com',
      user_code,
      'only if you started it',
    ]) {
      expect(question.text).toContain(words);
    }
    expect(question.text).toContain('10 minutes');
    const buttons = question.document.querySelectorAll('button[name=decision]');
    expect(buttons.map((button) => button.getAttribute('value'))).toEqual(['approve', 'deny']);
  });

  it('does nothing before the user has decided', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    await harness.newUser().openSignedIn(device.verification_uri_complete, 'alice@example.com');
    expect(error(await harness.poll(device.device_code))).toEqual([400, 'authorization_pending']);
  });

  it.each([
    (code: string) => code.toLowerCase(),
    (code: string) => ` ${code.replace('-', ' ')} `,
    (code: string) => code.replace('-', ''),
  ])('takes the code as people type it', async (typed) => {
    const harness = await Harness.start();
    const device = await harness.device();
    const page = await harness.decideDevice(
      { ...device, user_code: typed(device.user_code) },
      'alice@example.com',
      'approve',
    );
    expect(page.text).toContain('Your agent is signed in');
    expect(page.text).toContain('Agent: agent-auth');
  });

  it('decides once: the same answer again is fine, the other one and other accounts are not', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    const alice = harness.newUser();
    const question = await alice.openSignedIn(
      device.verification_uri_complete,
      'alice@example.com',
    );
    const approve = () => alice.submit(question, '/device', { decision: 'approve' });
    expect((await approve()).response.status).toBe(200);
    expect((await approve()).response.status).toBe(200);
    expect((await alice.submit(question, '/device', { decision: 'deny' })).response.status).toBe(
      400,
    );
    const bob = harness.newUser();
    const theirs = await bob.openSignedIn(device.verification_uri_complete, 'bob@example.com');
    expect(theirs.response.status).toBe(400);
    const { claims } = open((await harness.poll(device.device_code)).body['id_token']);
    expect(claims['email']).toBe('alice@example.com');
  });

  it('refuses a wrong code, and after ten of them every code, for this account alone', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    const tryCode = async (user_code: string, email = 'mallory@example.com') => {
      const user = harness.newUser();
      const form = await user.openSignedIn(device.verification_uri, email);
      return user.submit(form, '/device', { user_code });
    };
    for (let tries = 0; tries < 10; tries += 1) {
      const page = await tryCode('BBBB-BBBB');
      expect(page.response.status).toBe(400);
      expect(page.document.querySelector('[role=alert]')?.text).toContain('unknown or has expired');
    }
    expect((await tryCode(device.user_code)).response.status).toBe(429);
    expect((await tryCode(device.user_code, 'alice@example.com')).response.status).toBe(200);
    harness.clock.advance(10 * MINUTE);
    expect((await tryCode('BBBB-BBBB')).response.status).toBe(400);
  });

  it('does not count what cannot be a code', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    const user = harness.newUser();
    let page = await user.openSignedIn(device.verification_uri, 'alice@example.com');
    for (const user_code of [
      '',
      'x',
      '12345678',
      'AEIO-UAEI',
      '<b>',
      'B'.repeat(20),
      'é',
      '../x',
      ' ',
      '-',
      '%00',
      '"',
    ]) {
      page = await user.submit(page, '/device', { user_code });
      expect(page.response.status).toBe(400);
    }
    expect(
      (await user.submit(page, '/device', { user_code: device.user_code })).response.status,
    ).toBe(200);
  });

  it('asks for a new sign-in when the last one would be of no use to the agent', async () => {
    const harness = await Harness.start();
    const user = harness.newUser();
    await user.openSignedIn(`${ISSUER}/device`, 'alice@example.com');
    harness.clock.advance(5 * MINUTE + 1);
    const device = await harness.device();
    const again = await user.open(device.verification_uri_complete);
    expect(again.text).toContain('Sign in again');
    const question = await user.submit(again, '/login', { email: 'alice@example.com' });
    await user.submit(question, '/device', { decision: 'approve' });
    const { claims } = open((await harness.poll(device.device_code)).body['id_token']);
    expect(claims['auth_time']).toBe(harness.now);
  });

  describe('of a request that wants a fresh sign-in (OpenID Connect Core §3.1.2.1)', () => {
    /** A browser that signed in a minute ago opens the page of a code. */
    async function opened(fields: Record<string, string>) {
      const harness = await Harness.start();
      const user = harness.newUser();
      await user.openSignedIn(`${ISSUER}/device`, 'alice@example.com');
      harness.clock.advance(MINUTE);
      const device = await harness.device(fields);
      harness.clock.advance(1000);
      return { harness, user, device };
    }

    it.each<[string, Record<string, string>, boolean]>([
      ['asks again with prompt=login', { prompt: 'login' }, true],
      ['asks again with prompt=login among others', { prompt: 'consent login' }, true],
      ['asks again with max_age=59', { max_age: '59' }, true],
      ['asks again with max_age=0, once', { max_age: '0' }, true],
      ['is content with max_age=60', { max_age: '60' }, false],
      ['is content with another prompt', { prompt: 'consent' }, false],
    ])('%s', async (_what, fields, asksAgain) => {
      const { harness, user, device } = await opened(fields);
      const page = await user.open(device.verification_uri_complete);
      expect(page.text.includes('Sign in again')).toBe(asksAgain);
      const question = asksAgain
        ? await user.submit(page, '/login', { email: 'alice@example.com' })
        : page;
      await user.submit(question, '/device', { decision: 'approve' });
      const { claims } = open((await harness.poll(device.device_code)).body['id_token']);
      expect(claims['auth_time']).toBe(asksAgain ? harness.now : harness.now - 61);
    });

    it('says that the agent asks, not that a sign-in of seconds ago is too old, and knows who it is', async () => {
      const { user, device } = await opened({ prompt: 'login' });
      const page = await user.open(device.verification_uri_complete);
      expect(page.text).toContain('Your agent asks you to sign in again.');
      expect(page.text).not.toContain('too old');
      const email = page.document.querySelector('#email')?.getAttribute('value');
      expect(email).toBe('alice@example.com');
    });

    it('asks again where the code is typed, too', async () => {
      const { user, device } = await opened({ prompt: 'login' });
      const form = await user.open(device.verification_uri);
      const page = await user.submit(form, '/device', { user_code: device.user_code });
      expect(page.text).toContain('Sign in again');
    });

    it('cannot be talked into the old sign-in by sending the form by hand', async () => {
      const { harness, user, device } = await opened({ prompt: 'login' });
      const form = await user.open(device.verification_uri);
      const decide = (decision: string) =>
        user.submit(form, '/device', { user_code: device.user_code, decision });
      expect((await decide('approve')).text).toContain('Sign in again');
      expect(error(await harness.poll(device.device_code))).toEqual([400, 'authorization_pending']);
      expect((await decide('deny')).text).toContain('Sign-in denied');
    });

    it.each(['-1', '1.5', 'soon', '99999999999'])('refuses max_age=%s', async (max_age) => {
      const answer = await (await Harness.start()).askForDevice({ max_age });
      expect(error(answer)).toEqual([400, 'invalid_request']);
    });

    it('is satisfied by auto-approval', async () => {
      const harness = await Harness.start({ autoApprove: 'alice@example.com' });
      const { device_code } = await harness.device({ prompt: 'login', max_age: '0' });
      expect((await harness.poll(device_code)).status).toBe(200);
    });
  });

  it('is no use without our own form (A-13)', async () => {
    const harness = await Harness.start();
    const device = await harness.device();
    const user = harness.newUser();
    const question = await user.openSignedIn(device.verification_uri_complete, 'alice@example.com');
    const token =
      question.document.querySelector('input[name=csrf_token]')?.getAttribute('value') ?? '';
    const post = async (csrf_token: string, headers: Record<string, string>) => {
      const body = new URLSearchParams({
        csrf_token,
        user_code: device.user_code,
        decision: 'approve',
      });
      return (await user.request(`${ISSUER}/device`, { method: 'POST', body, headers })).status;
    };
    expect(await post('', { origin: ISSUER })).toBe(403);
    expect(await post('x'.repeat(27), { origin: ISSUER })).toBe(403);
    expect(await post(token, { origin: 'https://evil.example' })).toBe(403);
    expect(await post(token, {})).toBe(403);
    expect(error(await harness.poll(device.device_code))).toEqual([400, 'authorization_pending']);
    expect(await post(token, { origin: ISSUER })).toBe(200);
  });
});

describe('a device authorization that names an audience', () => {
  it('asks for both at once: with the approval goes the consent', async () => {
    const harness = await Harness.start({
      audiences: [{ issuer: SERVICE, name: 'Example Shop', scopes: ['api.read', 'api.write'] }],
    });
    const device = await harness.device({ audience: SERVICE, scope: 'openid api.read' });
    const user = harness.newUser();
    const question = await user.openSignedIn(device.verification_uri_complete, 'alice@example.com');
    for (const words of ['Example Shop', SERVICE, 'api.read', 'lets it identify you']) {
      expect(question.text).toContain(words);
    }
    await user.submit(question, '/device', { decision: 'approve' });
    const idToken = String((await harness.poll(device.device_code)).body['id_token']);
    expect((await harness.mint(idToken, { scope: 'api.read' })).body['scope']).toBe('api.read');
    expect((await harness.mint(idToken, { scope: 'api.write' })).body['error']).toBe(
      'consent_required',
    );
  });

  it('gives no consent when it is denied', async () => {
    const harness = await Harness.start();
    const device = await harness.device({ audience: SERVICE });
    await harness.decideDevice(device, 'alice@example.com', 'deny');
    expect((await harness.mint(await harness.signIn())).body['error']).toBe('consent_required');
  });

  it('takes no scope that the audience does not have', async () => {
    const harness = await Harness.start({ audiences: [{ issuer: SERVICE, scopes: ['api.read'] }] });
    const answer = await harness.askForDevice({ audience: SERVICE, scope: 'openid admin' });
    expect(error(answer)).toEqual([400, 'invalid_scope']);
  });
});

describe('auto-approve', () => {
  it('signs its user in and consents without a page, and nobody else', async () => {
    const harness = await Harness.start({ autoApprove: 'Alice@Example.com' });
    const { device_code } = await harness.device();
    const { body } = await harness.poll(device_code);
    const { claims } = open(body['id_token']);
    expect(claims).toMatchObject({ email: 'alice@example.com', auth_time: harness.now });
    expect((await harness.mint(String(body['id_token']))).status).toBe(200);
  });

  it('leaves the consent of others to them', async () => {
    const db = await openDatabase();
    const manual = await Harness.start({ db });
    const idToken = await manual.signIn('bob@example.com');
    const automatic = await Harness.start({ db, autoApprove: 'alice@example.com' });
    expect((await automatic.mint(idToken)).body['error']).toBe('consent_required');
  });
});
