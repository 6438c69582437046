import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import { decodeJwt, MINUTE } from '../../src/protocol/index.ts';
import { FakeClock, SeededRandom } from '../../src/runtime/index.ts';
import { connected } from '../support/connected.ts';
import { BASE, ceremonyOf, Harness, PROVIDER } from './harness.ts';

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});

const DAY = 86_400_000;

describe('anonymous', () => {
  it('signs what it says of the registration [AR-OBJ-2]', async () => {
    const { body } = await h.register({ type: 'anonymous' });
    const jwt = decodeJwt(String(body['identity_assertion']));
    expect(jwt?.header).toMatchObject({ typ: 'agent-identity+jwt', alg: 'ES256' });
    expect(jwt?.payload).toEqual({
      iss: BASE,
      aud: BASE,
      sub: body['registration_id'],
      jti: expect.any(String),
      iat: h.clock.now() / 1000,
      exp: (h.clock.now() + DAY) / 1000,
      ver: 1,
    });
  });
});

describe('service_auth', () => {
  it.each(['', 'alice', 'a@b@c', 'а@example.com', `${'a'.repeat(260)}@b.test`])(
    'refuses %j as a login_hint',
    async (hint) => {
      const { body, status } = await h.register({ type: 'service_auth', login_hint: hint });
      expect(status).toBe(400);
      expect(body['error']).toBe('invalid_login_hint');
    },
  );

  it('is of one instant, however long it takes to store it', async () => {
    const fake = new FakeClock();
    // A minute passes with every look at the clock: at the second one, the window would have ended.
    const clock = {
      now: () => {
        fake.advance(MINUTE);
        return fake.now();
      },
    };
    const hurried = await Harness.start({ clock, lifetimes: { claimWindow: MINUTE } });
    const request = { type: 'service_auth', login_hint: 'alice@example.com' };
    expect((await hurried.register(request)).status).toBe(200);
  });

  it('reads the verified_email form of older clients', async () => {
    const { body, status } = await h.register({
      type: 'identity_assertion',
      assertion_type: 'verified_email',
      assertion: 'alice@example.com',
    });
    expect(status).toBe(200);
    expect(body['registration_type']).toBe('service_auth');
  });

  it('answers the same for known and unknown emails (A-22)', async () => {
    h = await Harness.start({ users: [{ email: 'known@example.com' }] });
    const shapes = await Promise.all(
      ['known@example.com', 'unknown@example.com'].map(async (login_hint) => {
        const { body, status } = await h.register({ type: 'service_auth', login_hint });
        return [status, Object.keys(body), Object.keys(body.claim ?? {})];
      }),
    );
    expect(shapes[0]).toEqual(shapes[1]);
  });
});

describe('identity_assertion', () => {
  it('finds the same registration again; earlier assertions stay good', async () => {
    const register = async () =>
      h.register({ type: 'identity_assertion', assertion: await h.provider.idJag() });
    const first = await register();
    h.clock.advance(10_000);
    const second = await register();
    expect(second.body['registration_id']).toBe(first.body['registration_id']);
    expect((await h.exchange(first.body['identity_assertion'])).status).toBe(200);
    expect((await h.exchange(second.body['identity_assertion'])).status).toBe(200);
  });

  it('keeps tenants and subjects apart', async () => {
    const ids = new Set<unknown>();
    for (const claims of [
      { email: 'a@example.com' },
      { tenant: 't1', email: 'b@example.com' },
      { sub: 'user-2', email: 'c@example.com' },
    ]) {
      const assertion = await h.provider.idJag(claims);
      ids.add(
        (await h.register({ type: 'identity_assertion', assertion })).body['registration_id'],
      );
    }
    expect(ids.size).toBe(3);
  });

  it('links it at once under `--link-existing silent`, as the row has it [AR-STATE-3]', async () => {
    h = await Harness.start({ users: [{ email: 'alice@example.com' }], linkExisting: 'silent' });
    const register = async () =>
      h.register({ type: 'identity_assertion', assertion: await h.provider.idJag() });
    const { body, status } = await register();
    expect(status).toBe(200);
    expect(Object.keys(body)).toContain('identity_assertion');
    const { body: again } = await register();
    expect(again['registration_id']).toBe(body['registration_id']);
    const token = await h.exchange(body['identity_assertion']);
    expect((await h.call(token.body['access_token'])).body['user']).toEqual({
      email: 'alice@example.com',
    });
    const connections = await h.user().openSignedIn(`${BASE}/connections`, 'alice@example.com');
    expect(connections.text).toContain('Example Provider');
    const actions = (await h.service.controls.audit()).map(({ action }) => action);
    expect(actions).toContain('account.linked');
    expect(actions).not.toContain('user.provisioned');
  });

  it('silently ends a confirmation that was asked for before', async () => {
    const db = await openDatabase();
    h = await Harness.start({ db, users: [{ email: 'alice@example.com' }] });
    const { provider, clock } = h;
    const asked = await h.register({
      type: 'identity_assertion',
      assertion: await provider.idJag(),
    });
    const changed = { clock, fetch: provider.fetch, random: new SeededRandom(2) };
    h = await Harness.start({ ...changed, db, linkExisting: 'silent' });
    const { body, status } = await h.register({
      type: 'identity_assertion',
      assertion: await provider.idJag(),
    });
    expect(status).toBe(200);
    expect(body['registration_id']).not.toBe(asked.body['registration_id']);
    expect((await h.poll(asked.body['claim_token'])).body['error']).toBe('expired_token');
  });

  it('asks an account that its owner has made by signing in', async () => {
    const user = h.user();
    await user.openSignedIn(`${BASE}/login`, 'alice@example.com');
    const { body } = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag(),
    });
    expect(body['error']).toBe('interaction_required');
  });

  it('is a delegation once its owner confirmed, and only then', async () => {
    h = await Harness.start({ users: [{ email: 'alice@example.com' }] });
    const register = async () =>
      h.register({ type: 'identity_assertion', assertion: await h.provider.idJag() });
    const first = await register();
    const second = await register();
    expect(second.body['error']).toBe('interaction_required');
    expect(second.body['registration_id']).toBe(first.body['registration_id']);
    expect(second.body['claim_token']).not.toBe(first.body['claim_token']);
    expect((await h.poll(first.body['claim_token'])).body['error']).toBe('expired_token');

    await h.complete(ceremonyOf(second), 'alice@example.com');
    const tokens = await h.collect(second.body['claim_token']);
    expect(decodeJwt(String(tokens['identity_assertion']))?.payload).toMatchObject({ ver: 2 });
    const third = await register();
    expect(third.status).toBe(200);
    expect(third.body['registration_id']).toBe(first.body['registration_id']);
    expect((await h.exchange(third.body['identity_assertion'])).body['scope']).toBe(
      'api.read api.write',
    );
  });

  it('asks for an email outside the mail domains of the provider', async () => {
    h = await Harness.start({ trust: [{ issuer: PROVIDER, mailDomains: ['corp.test'] }] });
    const register = async (email: string) => {
      const assertion = await h.provider.idJag({ email, sub: email });
      return (await h.register({ type: 'identity_assertion', assertion })).status;
    };
    expect(await register('bob@corp.test')).toBe(200);
    expect(await register('bob@example.com')).toBe(401);
  });

  it('matches a verified phone number, and prefers the account of the email', async () => {
    h = await Harness.start({
      users: [
        { email: 'phone@example.com', phone: '+4915112345678' },
        { email: 'mail@example.com' },
      ],
    });
    const phone = { phone_number: '+4915112345678', phone_number_verified: true };
    const byPhone = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag({ ...phone, email: undefined, email_verified: undefined }),
    });
    expect(byPhone.status).toBe(401);
    await h.complete(ceremonyOf(byPhone), 'phone@example.com');
    expect((await h.collect(byPhone.body['claim_token']))['access_token']).toBeDefined();

    const byBoth = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag({ ...phone, sub: 'user-9', email: 'mail@example.com' }),
    });
    const page = await h
      .user()
      .openSignedIn(ceremonyOf(byBoth).verification_uri, 'mail@example.com');
    expect(page.response.status).toBe(200);
  });

  it('does not provision a second account for a phone number, and cannot ask the first', async () => {
    const byPhone = async (sub: string) =>
      h.register({
        type: 'identity_assertion',
        assertion: await h.provider.idJag({
          sub,
          email: undefined,
          email_verified: undefined,
          phone_number: '+4915112345678',
          phone_number_verified: true,
        }),
      });
    expect((await byPhone('user-1')).status).toBe(200);
    const second = await byPhone('user-2');
    expect([second.status, second.body['error']]).toEqual([400, 'missing_verified_email']);
  });

  it('keeps window and counters when the email behind a confirmation changes', async () => {
    h = await Harness.start({
      users: [{ email: 'old@example.com' }, { email: 'new@example.com' }],
    });
    const ask = async (email: string) =>
      h.register({ type: 'identity_assertion', assertion: await h.provider.idJag({ email }) });
    const first = await ask('old@example.com');
    h.clock.advance(60_000);
    const second = await ask('new@example.com');
    expect(second.body['registration_id']).toBe(first.body['registration_id']);
    expect(second.body['claim_token_expires']).toBe(first.body['claim_token_expires']);
    const old = await h.user().openSignedIn(ceremonyOf(first).verification_uri, 'old@example.com');
    expect(old.response.status).toBe(404);
    expect((await h.complete(ceremonyOf(second), 'new@example.com')).response.status).toBe(200);
  });

  it('has one registration of a subject: what waited for another account is over', async () => {
    h = await Harness.start({ users: [{ email: 'known@example.com' }] });
    const ask = async (email: string) =>
      h.register({ type: 'identity_assertion', assertion: await h.provider.idJag({ email }) });
    const waiting = await ask('known@example.com');
    expect((await ask('fresh@example.com')).status).toBe(200);
    expect((await h.poll(waiting.body['claim_token'])).body['error']).toBe('expired_token');
  });

  it.each(['Alice@Example.com', 'alice@EXAMPLE.com'])(
    'asks the account of %s, however its email was seeded',
    async (email) => {
      h = await Harness.start({
        users: [{ email }],
        trust: [{ issuer: PROVIDER, mailDomains: ['Example.COM'] }],
      });
      const assertion = await h.provider.idJag();
      const { body } = await h.register({ type: 'identity_assertion', assertion });
      expect(body['error']).toBe('interaction_required');
    },
  );

  it('refuses to be set up with an email that is none', async () => {
    await expect(Harness.start({ users: [{ email: 'alice' }] })).rejects.toThrow(TypeError);
    const users = [{ email: 'a@b.test', phone: '0151' }];
    await expect(Harness.start({ users })).rejects.toThrow(TypeError);
  });

  it('is not widened by an older ID-JAG that comes late', async () => {
    const older = await h.provider.idJag();
    h.clock.advance(1000);
    const newer = await h.provider.idJag({ scope: 'api.read' });
    const { body } = await h.register({ type: 'identity_assertion', assertion: newer });
    await h.register({ type: 'identity_assertion', assertion: older });
    expect((await h.exchange(body['identity_assertion'])).body['scope']).toBe('api.read');
  });

  it('narrows to the scope and the resource of the ID-JAG', async () => {
    const { body } = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag({
        scope: 'api.read profile',
        resource: `${BASE}/api/resource`,
      }),
    });
    expect(body['scopes']).toEqual(['api.read']);
    const token = await h.exchange(body['identity_assertion']);
    expect(token.body['scope']).toBe('api.read');
    const base = await h.exchange(body['identity_assertion'], { resource: BASE });
    expect(base.body['error']).toBe('invalid_target');
  });
});

describe('bad requests', () => {
  it.each([
    ['null', 'null'],
    ['too deep', `{"type":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['a member twice', '{"type":"anonymous","type":"anonymous"}'],
    ['U+0000', '{"type":"service_auth","login_hint":"a\\u0000@b.test"}'],
    ['an unpaired surrogate', '{"type":"\\ud800"}'],
    ['without a type', '{}'],
    ['a type that is no string', '{"type":1}'],
    ['an unknown type', '{"type":"refresh"}'],
    ['a prototype name as type', '{"type":"constructor"}'],
    ['service_auth without login_hint', '{"type":"service_auth"}'],
    ['identity_assertion without assertion', '{"type":"identity_assertion"}'],
    ['an assertion that is no JWT', '{"type":"identity_assertion","assertion":"x"}'],
    ['an unknown assertion_type', '{"type":"identity_assertion","assertion_type":"saml"}'],
  ])('are refused: %s', async (_what, body) => {
    const { body: error, status } = await h.post('/agent/identity', body);
    expect(status).toBe(400);
    expect(error['error']).toBe('invalid_request');
    expect(error['message']).toBe(error['error_description']);
  });

  it('may carry unknown members and a charset', async () => {
    const { status } = await h.send('POST', '/agent/identity', {
      body: JSON.stringify({ type: 'anonymous', nonsense: { deep: [1] }, assertion: 'ignored' }),
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    });
    expect(status).toBe(200);
  });

  it.each(['anonymous', 'service_auth', 'identity_assertion'] as const)(
    'name the type %s that is switched off',
    async (type) => {
      const others = (['anonymous', 'service_auth', 'identity_assertion'] as const).filter(
        (other) => other !== type,
      );
      h = await Harness.start({ identityTypes: others });
      const { body, status } = await h.register({
        type,
        login_hint: 'a@b.test',
        assertion: await h.provider.idJag(),
      });
      expect([status, body['error']]).toEqual([400, `${type}_not_enabled`]);
    },
  );
});

describe('the rate limit', () => {
  it('is off by default', async () => {
    for (let i = 0; i < 12; i += 1) {
      expect((await h.register({ type: 'anonymous' })).status).toBe(200);
    }
  });

  it('stops the sixth anonymous registration of an hour, and says when to come back', async () => {
    h = await Harness.start({ rateLimit: true });
    for (let i = 0; i < 5; i += 1) {
      expect((await h.register({ type: 'anonymous' })).status).toBe(200);
    }
    const { body, headers, status } = await h.register({ type: 'anonymous' });
    expect([status, body['error']]).toEqual([429, 'rate_limited']);
    expect(headers.get('retry-after')).toBe('3600');
    const other = await h.register({ type: 'service_auth', login_hint: 'a@b.test' });
    expect(other.status).toBe(200);
    h.clock.advance(3_600_000);
    expect((await h.register({ type: 'anonymous' })).status).toBe(200);
  });

  it('does not count what registers nothing, nor what is refused, for everybody', async () => {
    h = await Harness.start({ rateLimit: true });
    for (let i = 0; i < 70; i += 1) {
      await h.register({ type: 'service_auth', login_hint: 'not an email' });
    }
    const good = await h.register({ type: 'service_auth', login_hint: 'a@b.test' });
    expect(good.status).toBe(200);

    const from = (ip: string) => {
      const request = new Request(`${BASE}/agent/identity`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"type":"anonymous"}',
      });
      return h.service.fetch(connected(request, { ip }));
    };
    for (let i = 0; i < 150; i += 1) await from('10.0.0.1');
    expect((await from('10.0.0.2')).status).toBe(200);
  });
});
