import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { recordAudit } from '../../src/mock/audit/audit.ts';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import { SERVICE_FAULTS } from '../../src/mock-service/faults/index.ts';
import { createMockService, SERVICE_FAULT_NAMES } from '../../src/mock-service/index.ts';
import { MINUTE } from '../../src/protocol/index.ts';
import { FakeClock, SeededRandom } from '../../src/runtime/index.ts';
import { serviceFaults } from '../conformance/faults/by-name.ts';
import { connected } from '../support/connected.ts';
import { type Answer, BASE, ceremonyOf, Harness } from './harness.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';

async function start(options: Parameters<typeof Harness.start>[0] = {}) {
  const h = await Harness.start({ control: { token: TOKEN }, ...options });
  const control = (path: string, body?: object, headers: Record<string, string> = {}) =>
    h.send(body === undefined ? 'GET' : 'POST', `/__mock${path}`, {
      headers: {
        authorization: `Bearer ${TOKEN}`,
        host: '127.0.0.1:4800',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  return { h, control };
}

/** An anonymous registration with an open claim attempt. */
async function pending(h: Harness, email = 'alice@example.com') {
  const { body } = await h.register({ type: 'anonymous' });
  const started = await h.startClaim(body['claim_token'], email);
  return { id: String(body['registration_id']), body, ceremony: ceremonyOf(started) };
}

const at = ({ body }: Answer) => Date.parse(String(body['now']));

describe('who may control a mock', () => {
  it.each<[what: string, headers: Record<string, string>, status: number]>([
    ['a call without a token', { authorization: '' }, 401],
    ['another token', { authorization: 'Bearer ctl_something-else-0123456789' }, 401],
    ['a beginning of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, 401],
    ['another scheme', { authorization: `Basic ${TOKEN}` }, 401],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['an origin of another port', { origin: 'http://127.0.0.1:9999' }, 403],
    ['an origin of nowhere', { origin: 'null' }, 403],
  ])('refuses %s', async (_what, headers, status) => {
    const { control, h } = await start();
    for (const answer of [
      await control('', undefined, headers),
      await control('/reset', {}, headers),
      await control('/nothing', undefined, headers),
    ]) {
      expect(answer.status).toBe(status);
      expect(answer.body['error']).toBe(status === 401 ? 'invalid_token' : 'forbidden');
      expect(answer.headers.get('www-authenticate')).toBe(
        status === 401 ? 'Bearer realm="mock-control"' : null,
      );
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(await h.service.controls.audit()).toEqual([]);
  });

  const arriving = async (h: Harness, host: string, headers: Record<string, string> = {}) => {
    const request = new Request(`${BASE}/__mock`, {
      headers: { authorization: `Bearer ${TOKEN}`, host, ...headers },
    });
    const bound = { host: '127.0.0.1', port: 4800, isTls: false };
    return h.service.fetch(connected(request, { bound, host }));
  };

  it.each([
    ['a name that leads here', 'evil.example'],
    ['a name that ends like this machine', 'localhost.evil.example:4800'],
    ['an IP address of the network', '192.168.0.7:4800'],
    ['another port of this machine', '127.0.0.1'],
    ['a host that is none', 'a b'],
  ])('refuses %s, also while all other paths take every host for theirs', async (_what, host) => {
    const { h } = await start();
    expect((await arriving(h, host)).status).toBe(421);
    const wrong = await start({ faults: serviceFaults(['trustedHost']) });
    const answer = await arriving(wrong.h, host);
    expect(answer.status).toBe(421);
    expect(await answer.json()).toMatchObject({ error: 'misdirected_request' });
  });

  it.each(['127.0.0.1:4800', 'localhost:4800', '[::1]:4800'])(
    'lets a program of this machine in by %s',
    async (host) => {
      const { h } = await start();
      expect((await arriving(h, host)).status).toBe(200);
      expect((await arriving(h, host, { origin: BASE })).status).toBe(200);
    },
  );

  it('has no controls over HTTP unless a token was given', async () => {
    const { control } = await start({ control: undefined } as never);
    expect((await control('')).status).toBe(404);
  });

  it('is refused to a peer of the network, whatever Host it sends', async () => {
    const { h } = await start();
    const from = async (ip: string) => {
      const request = new Request(`${BASE}/__mock`, {
        headers: { authorization: `Bearer ${TOKEN}`, host: '127.0.0.1:4800' },
      });
      return (await h.service.fetch(connected(request, { ip }))).status;
    };
    for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(await from(ip)).toBe(200);
    }
    for (const ip of ['192.168.0.9', '::ffff:10.0.0.1', '2001:db8::1']) {
      expect(await from(ip)).toBe(403);
    }
  });

  it('is open to a peer of the network where that is allowed, with the token and the host alone', async () => {
    const { h } = await start({ control: { token: TOKEN, allowRemote: true } });
    const call = async (headers: Record<string, string>) => {
      const request = new Request(`${BASE}/__mock`, { headers });
      const bound = { host: '0.0.0.0', port: 4800, isTls: false };
      const arrival = { bound, host: headers['host'] ?? '', ip: '172.17.0.1' };
      return (await h.service.fetch(connected(request, arrival))).status;
    };
    const right = { authorization: `Bearer ${TOKEN}`, host: '127.0.0.1:4800' };
    expect(await call(right)).toBe(200);
    expect(await call({ ...right, authorization: 'Bearer ctl_something-else-0123456789' })).toBe(
      401,
    );
    expect(await call({ ...right, host: 'evil.example' })).toBe(421);
    expect(await call({ ...right, origin: 'https://evil.example' })).toBe(403);
  });

  it('takes no token that could be guessed', async () => {
    await expect(start({ control: { token: 'secret' } })).rejects.toThrow(TypeError);
  });

  it('says which controls it does not have, and which methods, to who may control it', async () => {
    const { control, h } = await start();
    expect((await control('/nothing')).body).toMatchObject({ error: 'not_found' });
    expect((await h.send('GET', '/__mock/reset')).status).toBe(401);
    const stranger = await h.send('PUT', '/__mock', { headers: { host: '127.0.0.1' } });
    expect([stranger.status, stranger.headers.get('allow')]).toEqual([401, null]);
    const headers = { authorization: `Bearer ${TOKEN}`, host: '127.0.0.1' };
    const answer = await h.send('GET', '/__mock/reset', { headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('the clock', () => {
  it('is moved, and everything follows it', async () => {
    const { control, h } = await start();
    const { body } = await pending(h);
    const before = at(await control(''));
    const moved = await control('/clock', { advance: '11m' });
    expect(at(moved) - before).toBe(11 * MINUTE);
    expect(moved.body['clock_offset_ms']).toBe(11 * MINUTE);
    const polled = await h.poll(body['claim_token']);
    expect(polled.body['error']).toBe('expired_token');
    expect(Date.parse(polled.headers.get('date') ?? '')).toBe(at(moved));
  });

  it('is moved again by what is said, or to an offset', async () => {
    const { control } = await start();
    await control('/clock', { advance: 1_000 });
    expect((await control('/clock', { advance: '2s' })).body['clock_offset_ms']).toBe(3_000);
    expect((await control('/clock', { offset_ms: -5_000 })).body['clock_offset_ms']).toBe(-5_000);
  });

  it.each<[string, object]>([
    ['no move', {}],
    ['two moves', { advance: '1m', offset_ms: 1 }],
    ['no duration', { advance: 'soon' }],
    ['a step back', { advance: -1 }],
    ['a fraction', { offset_ms: 0.5 }],
    ['a number as text', { offset_ms: '5' }],
    ['the end of dates', { offset_ms: 8.64e15 }],
    ['the end of dates, in one step', { advance: Number.MAX_SAFE_INTEGER }],
  ])('refuses %s and stays where it is', async (_what, body) => {
    const { control } = await start();
    expect((await control('/clock', body)).body['error']).toBe('invalid_request');
    expect((await control('')).body['clock_offset_ms']).toBe(0);
  });

  it('is one for every process on the store', async () => {
    const db = await openDatabase();
    const { h, control } = await start({ db });
    const replica = await createMockService({
      baseUrl: BASE,
      clock: h.clock,
      random: new SeededRandom(2),
      fetch: h.provider.fetch,
      log: h.log,
      db,
    });
    await control('/clock', { advance: '1h' });
    await control('/faults', { faults: ['unavailable'] });
    const answer = await replica.fetch(new Request(`${BASE}/auth.md`));
    expect(answer.status).toBe(503);
    expect(Date.parse(answer.headers.get('date') ?? '')).toBe(h.clock.now() + 60 * MINUTE);
  });

  it('set back makes no key set of a provider fresh for ever', async () => {
    const { control, h } = await start();
    const register = async (kid: string) => {
      const assertion = await h.provider.idJag({}, { kid });
      return h.register({ type: 'identity_assertion', assertion });
    };
    await control('/clock', { advance: '1h' });
    await register('key-1');
    await control('/clock', { offset_ms: 0 });
    await h.provider.addKey('key-2');
    expect((await register('key-2')).status).toBe(200);
  });

  it('keeps its offset over a restart', async () => {
    const db = await openDatabase();
    const { control } = await start({ db });
    await control('/clock', { advance: '1h' });
    const again = await start({ db });
    expect((await again.control('')).body['clock_offset_ms']).toBe(60 * MINUTE);
  });
});

describe('registrations', () => {
  it('are listed newest first, with their state and without a secret', async () => {
    const { control, h } = await start();
    const first = await h.register({ type: 'anonymous' });
    h.clock.advance(1_000);
    const second = await h.register({ type: 'service_auth', login_hint: 'bob@example.com' });
    const { body } = await control('/registrations');
    expect(body['registrations']).toMatchObject([
      {
        registration_id: second.body['registration_id'],
        state: 'pending',
        email: 'bob@example.com',
      },
      { registration_id: first.body['registration_id'], state: 'unclaimed', email: null },
    ]);
    const text = JSON.stringify(body);
    for (const secret of secretsOf([first, second])) expect(text).not.toContain(secret);
  });

  it('are inspected one by one', async () => {
    const { control, h } = await start();
    const { id } = await pending(h);
    expect((await control(`/registrations/${id}`)).body).toMatchObject({
      registration_id: id,
      state: 'pending',
      claim_attempt: { wrong_codes: 0, denied_at: null },
    });
    expect((await control('/registrations/reg_unknown')).status).toBe(404);
  });

  it('are claimed as their user would', async () => {
    const { control, h } = await start();
    const { id, body } = await pending(h);
    const done = await control(`/registrations/${id}/complete`, {});
    expect(done.body).toMatchObject({ state: 'claimed', email: 'alice@example.com' });
    expect((await h.poll(body['claim_token'])).body['scope']).toBe('api.read api.write');
  });

  it('are denied as their user would', async () => {
    const { control, h } = await start();
    const { id, body } = await pending(h);
    expect((await control(`/registrations/${id}/deny`, {})).body['state']).toBe('lapsed');
    expect((await h.poll(body['claim_token'])).body['error']).toBe('access_denied');
  });

  it('obey the claim machine: no attempt, another account, too late', async () => {
    const { control, h } = await start();
    const { body } = await h.register({ type: 'anonymous' });
    const unclaimed = await control(`/registrations/${body['registration_id']}/complete`, {});
    expect(unclaimed.status).toBe(409);
    expect(unclaimed.body['error_description']).toContain('agent-auth claim');

    const { id } = await pending(h);
    const stranger = await control(`/registrations/${id}/complete`, { email: 'eve@example.com' });
    expect(stranger.body['error_description']).toContain('wrong_account');
    h.clock.advance(11 * MINUTE);
    const late = await control(`/registrations/${id}/complete`, {});
    expect(late.body['error_description']).toContain('claim_attempt_expired');
    expect((await control('/registrations/reg_x/complete', {})).status).toBe(404);
    expect((await control(`/registrations/${id}/complete`, { email: 'nobody' })).status).toBe(400);
  });

  it('are claimed by whom the machine lets, right or wrong', async () => {
    const { control, h } = await start();
    const { id } = await pending(h);
    await h.service.controls.setFaults(['uncheckedClaimAccount']);
    const done = await control(`/registrations/${id}/complete`, { email: 'eve@example.com' });
    expect(done.body['state']).toBe('claimed');
    // Eve has an account now, so she is asked.
    const idJag = await h.provider.idJag({ email: 'eve@example.com' });
    const asked = await h.register({ type: 'identity_assertion', assertion: idJag });
    expect(asked.body['error']).toBe('interaction_required');
  });

  it('leave no account behind where they were refused', async () => {
    const { control, h } = await start();
    const { id } = await pending(h);
    await control(`/registrations/${id}/complete`, { email: 'eve@example.com' });
    await control(`/registrations/${id}/deny`, { email: 'eve@example.com' });
    const idJag = await h.provider.idJag({ email: 'eve@example.com' });
    const provisioned = await h.register({ type: 'identity_assertion', assertion: idJag });
    expect(provisioned.status).toBe(200);
  });

  it('take a body that says what it is, and no other', async () => {
    const { control, h } = await start();
    const { id } = await pending(h);
    const typeless = await h.send('POST', `/__mock/registrations/${id}/complete`, {
      headers: {
        authorization: `Bearer ${TOKEN}`,
        host: '127.0.0.1',
        'content-type': '',
        'content-length': '27',
      },
      body: '{"email":"eve@example.com"}',
    });
    expect(typeless.status).toBe(415);
    expect((await control(`/registrations/${id}`)).body['state']).toBe('pending');
  });
});

describe('keys', () => {
  it('are rotated, and old assertions stay good', async () => {
    const { control, h } = await start();
    const { body } = await h.register({ type: 'anonymous' });
    const rotated = await control('/keys/rotate', {});
    const set = (await h.send('GET', '/.well-known/jwks.json')).body['keys'] as { kid: string }[];
    expect(set.map(({ kid }) => kid)).toContain(rotated.body['kid']);
    expect(Date.parse(String(rotated.body['signs_from'])) - h.clock.now()).toBe(5 * MINUTE);
    h.clock.advance(6 * MINUTE);
    expect((await h.exchange(body['identity_assertion'])).status).toBe(200);
    const later = await h.register({ type: 'anonymous' });
    const { kid } = decodeProtectedHeader(String(later.body['identity_assertion']));
    expect(kid).toBe(rotated.body['kid']);
  });

  it.each<[string, object]>([
    ['a lead without end', { lead: 8.64e15 }],
    ['a lead of years', { lead: '400d' }],
    ['a lead into the past', { lead: -1 }],
    ['no duration', { lead: 'soon' }],
  ])('refuse %s, and rotate afterwards as before', async (_what, body) => {
    const { control } = await start();
    expect((await control('/keys/rotate', body)).body['error']).toBe('invalid_request');
    expect((await control('/keys/rotate', {})).status).toBe(200);
  });

  it('rotate at once with a lead of zero, also while another key waits', async () => {
    const { control, h } = await start();
    await control('/keys/rotate', {});
    const { body } = await control('/keys/rotate', { lead: '0s' });
    h.clock.advance(10);
    const made = await h.register({ type: 'anonymous' });
    expect(decodeProtectedHeader(String(made.body['identity_assertion'])).kid).toBe(body['kid']);
  });

  it('outlive a clock that was moved and a reset', async () => {
    const { control, h } = await start();
    for (let i = 0; i < 2; i += 1) {
      await control('/clock', { advance: '31d' });
      await control('/keys/rotate', {});
    }
    await control('/reset', {});
    expect((await h.register({ type: 'anonymous' })).status).toBe(200);
    const { body } = await control('/keys/rotate', {});
    expect(Date.parse(String(body['signs_from'])) - h.clock.now()).toBe(5 * MINUTE);
    await control('/clock', { offset_ms: -40 * 365 * 24 * 60 * MINUTE });
    expect((await h.register({ type: 'anonymous' })).status).toBe(200);
  });
});

describe('a reset', () => {
  it('brings everything back to the start, but the keys', async () => {
    const { control, h } = await start({ users: [{ email: 'seed@example.com' }] });
    const { body, id } = await pending(h);
    await control('/clock', { advance: '1h' });
    await control('/faults', { faults: ['unavailable'] });
    const keys = async () => (await h.send('GET', '/.well-known/jwks.json')).body;
    await control('/faults', { faults: [] });
    const before = await keys();
    await control('/faults', { faults: ['unavailable'] });
    const state = await control('/reset', {});
    expect(state.body).toMatchObject({ clock_offset_ms: 0, faults: [] });
    expect((await control(`/registrations/${id}`)).status).toBe(404);
    expect((await h.startClaim(body['claim_token'], 'alice@example.com')).status).toBe(401);
    expect(await keys()).toEqual(before);
    const seeded = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag({ email: 'seed@example.com' }),
    });
    expect(seeded.body['error']).toBe('interaction_required');
    expect(await h.service.controls.audit()).toMatchObject([
      { action: 'reset', at: h.clock.now() },
      { action: 'registration.created' },
      { action: 'claim.started' },
    ]);
  });

  it('ends every session, and the seeds are of the true time', async () => {
    const db = await openDatabase();
    const { control, h } = await start({ db, users: [{ email: 'seed@example.com' }] });
    const user = h.user();
    await user.openSignedIn(`${BASE}/connections`, 'alice@example.com');
    await control('/clock', { advance: '40d' });
    await control('/reset', {});
    expect((await user.open(`${BASE}/connections`)).url).toContain('/login');
    const [seed] = await db.read((reader) => reader.all('SELECT created_at FROM users'));
    expect(seed?.['created_at']).toBe(h.clock.now());
  });

  it('lets the audit trail count on, so that who follows it is not left behind', async () => {
    const { control, h } = await start();
    for (let i = 0; i < 3; i += 1) await h.register({ type: 'anonymous' });
    const [last] = (await h.service.controls.audit()).slice(-1);
    await control('/reset', {});
    await h.register({ type: 'anonymous' });
    const followed = await h.service.controls.audit({ after: last?.seq });
    expect(followed.map(({ action }) => action)).toEqual(['reset', 'registration.created']);
  });

  it('goes back to the faults of the options', async () => {
    const { control } = await start({ faults: ['noSlowDown'] });
    await control('/faults', { faults: [] });
    expect((await control('/reset', {})).body['faults']).toEqual(['noSlowDown']);
  });
});

describe('faults', () => {
  it('are switched as a whole, in their own order', async () => {
    const { control } = await start();
    const set = await control('/faults', { faults: ['unavailable', 'acceptedReplay'] });
    expect(set.body['faults']).toEqual(['unavailable', 'acceptedReplay']);
    expect(set.body['known_faults']).toEqual(SERVICE_FAULT_NAMES);
    expect((await control('/faults', { faults: [] })).body['faults']).toEqual([]);
  });

  it.each<[string, object]>([
    ['an unknown name', { faults: ['noSlowDown', 'nothing'] }],
    ['no list', { faults: 'noSlowDown' }],
    ['nothing', {}],
  ])('refuse %s, and name what there is', async (_what, body) => {
    const { control } = await start();
    const answer = await control('/faults', body);
    expect(answer.body['error']).toBe('invalid_request');
    expect((await control('')).body['faults']).toEqual([]);
  });

  it('are listed by what they are about', async () => {
    const { control } = await start({
      faults: ['noSlowDown', { name: 'mine', description: 'errs' }],
    });
    const { body } = await control('/faults');
    const faults = body['faults'] as { name: string }[];
    expect(faults.map(({ name }) => name)).toEqual([...SERVICE_FAULT_NAMES, 'mine']);
    const { description } = SERVICE_FAULTS.noSlowDown;
    expect(faults).toContainEqual({ name: 'noSlowDown', group: 'claim', description, on: true });
    expect(faults.at(-1)).toEqual({ name: 'mine', group: null, description: 'errs', on: true });
  });

  it('propose the name that was meant', async () => {
    const { control } = await start();
    const { body } = await control('/faults', { faults: ['noSlowdwon'] });
    expect(body['error_description']).toContain("Did you mean 'noSlowDown'?");
    await expect(start({ faults: ['noSlowdwon'] })).rejects.toThrow('Did you mean "noSlowDown"?');
  });

  it('are refused as an option, too', async () => {
    await expect(start({ faults: ['nothing'] })).rejects.toThrow('There is no fault "nothing"');
  });
});

describe('the audit trail', () => {
  it('tells every change of a claim: when, who, which registration', async () => {
    const { control, h } = await start();
    const { id, body, ceremony } = await pending(h);
    await h.exchange(body['identity_assertion']);
    await h.complete(ceremony, 'alice@example.com', wrongCode(ceremony.user_code));
    h.clock.advance(1_000);
    await h.complete(ceremony, 'alice@example.com');
    const { access_token } = await h.collect(body['claim_token']);
    await h.form('/oauth2/revoke', { token: String(access_token) });
    const { entries } = (await control('/audit')).body as { entries: Record<string, unknown>[] };
    expect(
      entries.map(({ action, actor, registration_id }) => [action, actor, registration_id]),
    ).toEqual([
      ['registration.created', 'agent', id],
      ['claim.started', 'agent', id],
      ['token.issued', 'agent', id],
      ['user.created', 'user a•••@example.com', null],
      ['claim.code_wrong', 'user a•••@example.com', id],
      ['claim.completed', 'user a•••@example.com', id],
      ['claim.delivered', 'agent', id],
      ['token.revoked', 'agent', id],
    ]);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(entries.at(-1)?.['at']).toBe(new Date(h.clock.now()).toISOString());
  });

  it('names the provider whose ID-JAG or event it was, and the user who ended an agent', async () => {
    const { h } = await start();
    const register = async (claims: Record<string, unknown>) =>
      h.register({ type: 'identity_assertion', assertion: await h.provider.idJag(claims) });
    await register({ sub: 'one', email: 'one@example.com' });
    const set = await h.provider.event({ sub: 'one' });
    const headers = { 'content-type': 'application/secevent+jwt' };
    await h.send('POST', '/agent/event/notify', { body: set, headers });
    const told = (await h.service.controls.audit()).map(
      ({ action, actor }) => `${action} ${actor}`,
    );
    expect(told).toEqual([
      'user.provisioned provider https://provider.test',
      'registration.created provider https://provider.test',
      'assertion.issued provider https://provider.test',
      'event.received provider https://provider.test',
      'registration.revoked provider https://provider.test',
    ]);
  });

  it('holds no secret and no whole email of a user', async () => {
    const { control, h } = await start();
    const { body, ceremony } = await pending(h);
    await h.complete(ceremony, 'alice@example.com');
    const collected = await h.poll(body['claim_token']);
    const text = JSON.stringify((await control('/audit')).body);
    expect(text).not.toContain('alice@');
    for (const secret of [...secretsOf([{ ...collected, body }, collected]), ceremony.user_code]) {
      expect(text).not.toContain(secret);
    }
  });

  it('is handed out in pages', async () => {
    const { control, h } = await start();
    for (let i = 0; i < 5; i += 1) await h.register({ type: 'anonymous' });
    const page = (await control('/audit?after=2&limit=2')).body['entries'] as { seq: number }[];
    expect(page.map(({ seq }) => seq)).toEqual([3, 4]);
    for (const query of ['limit=x', 'limit=1001', 'after=-1', 'after=1e3']) {
      expect((await control(`/audit?${query}`)).body['error']).toBe('invalid_request');
    }
  });

  it('is undone with the change that failed', async () => {
    const db = await openDatabase();
    const { h } = await start({ db });
    const failing = db.transaction(async (tx) => {
      const entry = { owner: 'service', at: 0, actor: 'agent', action: 'token.issued' } as const;
      await recordAudit(tx, entry);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await h.service.controls.audit()).toEqual([]);
  });

  it('tells of what an ID-JAG renewed, and of what an event ended of it', async () => {
    const { h } = await start();
    const register = async (claims: Record<string, unknown>) =>
      h.register({ type: 'identity_assertion', assertion: await h.provider.idJag(claims) });
    await register({ scope: 'api.read' });
    h.clock.advance(5_000);
    const event = await h.provider.event();
    h.clock.advance(5_000);
    await register({});
    await h.send('POST', '/agent/event/notify', {
      body: event,
      headers: { 'content-type': 'application/secevent+jwt' },
    });
    const told = (await h.service.controls.audit()).map(({ action, detail }) =>
      [action, detail?.['scope']].filter(Boolean).join(' '),
    );
    expect(told.slice(-4)).toEqual([
      'assertion.issued api.read',
      'assertion.issued api.read api.write',
      'event.received',
      'credentials.ended',
    ]);
  });
});

function secretsOf(answers: readonly Answer[]): readonly string[] {
  const names = ['claim_token', 'identity_assertion', 'access_token'];
  return answers.flatMap(({ body }) =>
    names.flatMap((name) => (typeof body[name] === 'string' ? [String(body[name])] : [])),
  );
}

function wrongCode(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

it('a fake clock and a moved one add up', async () => {
  const clock = new FakeClock();
  const { h } = await start();
  expect(h.clock.now()).toBe(clock.now());
  await h.service.controls.moveClock({ advance: MINUTE });
  h.clock.advance(MINUTE);
  expect((await h.service.controls.state()).now).toBe(clock.now() + 2 * MINUTE);
});
