import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import { MINUTE, parseChallenges } from '../../src/protocol/index.ts';
import { type Answer, Harness, open, SERVICE } from './harness.ts';

const PATH = '/oauth2/userinfo';
const ALICE = {
  email: 'alice@example.com',
  name: 'Alice',
  phone: '+15195550100',
  tenant: 'acme',
};

let h: Harness;
beforeEach(async () => {
  h = await Harness.start({ users: [ALICE] });
});

/** Signed in by device code; the answer of the last poll. */
async function signIn(fields: Record<string, string> = {}): Promise<Answer['body']> {
  const device = await h.device(fields);
  await h.decideDevice(device, ALICE.email, 'approve');
  return (await h.poll(device.device_code)).body;
}

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
const ask = (token: unknown) => h.send('GET', PATH, { headers: bearer(token) });

function challengeOf({ headers, status }: Answer) {
  const [challenge] = parseChallenges(headers.get('www-authenticate') ?? '');
  return [status, challenge?.scheme, { ...challenge?.params }];
}

describe('the user info', () => {
  it.each([
    ['openid', {}],
    ['openid email', { email: ALICE.email, email_verified: true }],
    ['openid profile', { name: 'Alice' }],
    ['openid phone', { phone_number: ALICE.phone, phone_number_verified: true }],
  ])('says what the scope %s is for (OpenID Connect Core §5.4)', async (scope, claims) => {
    const { access_token, id_token } = await signIn({ scope });
    const { body, headers, status } = await ask(access_token);
    expect(status).toBe(200);
    expect(body).toEqual({ sub: open(id_token).claims.sub, ...claims });
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('leaves out what is not known of a user', async () => {
    h = await Harness.start();
    const { access_token } = await signIn({ scope: 'openid email profile phone' });
    expect(Object.keys((await ask(access_token)).body).sort()).toEqual([
      'email',
      'email_verified',
      'sub',
    ]);
  });

  it('is answered to a POST as well, with the token in the header or in the form', async () => {
    const { access_token } = await signIn();
    const token = String(access_token);
    const inHeader = await h.send('POST', PATH, { headers: bearer(token) });
    const inForm = await h.form(PATH, { access_token: token });
    const emptyForm = await h.form(PATH, {}, bearer(token));
    for (const answer of [inHeader, inForm, emptyForm]) {
      expect(answer.body['email']).toBe(ALICE.email);
    }
  });

  it('takes one token alone, and none from the query (RFC 6750 §2)', async () => {
    const { access_token } = await signIn();
    const token = String(access_token);
    const both = await h.form(PATH, { access_token: token }, bearer(token));
    expect(challengeOf(both)).toEqual([
      400,
      'Bearer',
      { realm: 'userinfo', error: 'invalid_request' },
    ]);
    const inQuery = await h.send('GET', `${PATH}?access_token=${token}`);
    expect(inQuery.status).toBe(401);
  });

  it('challenges a call without a token, and names no error (RFC 6750 §3.1)', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }]) {
      const answer = await h.send('GET', PATH, { headers });
      expect(challengeOf(answer)).toEqual([401, 'Bearer', { realm: 'userinfo' }]);
    }
  });

  it('refuses another token than that of a sign-in as invalid_token', async () => {
    const { id_token } = await signIn();
    for (const token of ['pat_unknown', id_token, '', '"', 'a b']) {
      expect(challengeOf(await ask(token))).toEqual([
        401,
        'Bearer',
        { realm: 'userinfo', error: 'invalid_token' },
      ]);
    }
  });

  it('needs the scope openid', async () => {
    const { access_token } = await signIn({ scope: 'email' });
    expect(challengeOf(await ask(access_token))).toEqual([
      403,
      'Bearer',
      { realm: 'userinfo', error: 'insufficient_scope', scope: 'openid' },
    ]);
  });
});

describe('the access token of a sign-in', () => {
  it('ends with its lifetime, and says so', async () => {
    h = await Harness.start({ lifetimes: { accessToken: MINUTE } });
    const { access_token, expires_in } = await signIn();
    expect(expires_in).toBe(60);
    h.clock.advance(MINUTE - 1);
    expect((await ask(access_token)).status).toBe(200);
    h.clock.advance(1);
    expect((await ask(access_token)).status).toBe(401);
  });

  it('is replaced by that of a repeated poll', async () => {
    const device = await h.device();
    await h.decideDevice(device, ALICE.email, 'approve');
    const first = (await h.poll(device.device_code)).body['access_token'];
    const second = (await h.poll(device.device_code)).body['access_token'];
    expect((await ask(first)).status).toBe(401);
    expect((await ask(second)).status).toBe(200);
  });

  it('is stored as a hash', async () => {
    const db = await openDatabase();
    h = await Harness.start({ db });
    const { access_token } = await signIn();
    const rows = await db.transaction((tx) => tx.all('SELECT * FROM sign_in_tokens'));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(access_token);
  });

  it('ends with the consent that was given with it, and with no other', async () => {
    const withConsent = await signIn({ audience: SERVICE });
    const other = await signIn({ audience: 'https://other.test' });
    const without = await signIn();
    const { body } = await h.revoke(String(withConsent['id_token']));
    expect(body['revoked']).toBe(true);
    expect((await ask(withConsent['access_token'])).status).toBe(401);
    expect((await ask(other['access_token'])).status).toBe(200);
    expect((await ask(without['access_token'])).status).toBe(200);
  });

  it('outlives a consent that was revoked before it was collected: it never had that one', async () => {
    const device = await h.device({ audience: SERVICE });
    await h.decideDevice(device, ALICE.email, 'approve');
    const { id_token } = await signIn();
    await h.revoke(String(id_token));
    const { access_token } = (await h.poll(device.device_code)).body;
    expect((await ask(access_token)).status).toBe(200);
  });

  it('ends with a reset', async () => {
    const { access_token } = await signIn();
    await h.provider.controls.reset();
    expect((await ask(access_token)).status).toBe(401);
  });

  it('is no subject token: it mints nothing', async () => {
    const { access_token } = await signIn();
    expect((await h.mint(String(access_token))).body['error']).toBe('invalid_grant');
  });
});
