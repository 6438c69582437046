import { createLocalJWKSet, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { DAY, HOUR, MINUTE, securityEventClaims } from '../../../src/protocol/index.ts';
import { NetworkError } from '../../../src/runtime/index.ts';
import { Harness, ISSUER, open, SERVICE } from '../harness.ts';
import { EVENT, json, metadata, Receiver, refusedConnection } from './support.ts';

let receiver: Receiver;
let harness: Harness;
beforeEach(async () => {
  receiver = new Receiver();
  harness = await Harness.start({ fetch: receiver.fetch });
});

/** Revokes, and says what the provider answered. */
async function revoked(): Promise<Record<string, unknown>> {
  const idToken = await harness.consented();
  harness.clock.advance(1234);
  return (await harness.revoke(idToken)).body;
}

async function entry() {
  const [only, ...others] = await harness.provider.outbox.list();
  expect(others).toEqual([]);
  if (only === undefined) throw new Error('The outbox is empty.');
  return only;
}

describe('a security event', () => {
  it('is what RFC 8417 and wire contract §7 ask for (SET-01 to SET-05) [AR-EVENT-1]', async () => {
    const idToken = await harness.consented();
    const { claims: idJag } = open((await harness.mint(idToken)).body['access_token']);
    harness.clock.advance(10_999);
    const { body } = await harness.revoke(idToken);
    expect(body).toEqual({ audience: SERVICE, revoked: true, event: 'delivered' });

    const [event = ''] = receiver.events;
    const { claims, header } = open(event);
    expect(header).toMatchObject({ typ: 'secevent+jwt', alg: 'ES256' });
    expect(claims).toEqual({
      iss: ISSUER,
      iat: harness.now,
      jti: (await entry()).id,
      aud: SERVICE,
      toe: harness.now,
      sub: idJag.sub,
      sub_id: { format: 'iss_sub', iss: ISSUER, sub: idJag.sub },
      events: { [EVENT]: {} },
    });
    expect(securityEventClaims.parse(claims)).toEqual(claims);
    await jwtVerify(event, createLocalJWKSet(await harness.jwks()), {
      currentDate: new Date(harness.clock.now()),
    });
  });

  it('is pushed as RFC 8935 §2.1 says (PSH-01)', async () => {
    await revoked();
    expect(receiver.lastPush).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/secevent+jwt', accept: 'application/json' },
    });
  });

  it('has the type that the service lists, whoever’s name is in it (wire contract §1) [AR-EVENT-1]', async () => {
    const type = 'https://acme.example/auth/identity/assertion/revoked';
    receiver.onMetadata = () => json(metadata({}, { events_supported: [type] }));
    await revoked();
    expect(open(receiver.events[0]).claims['events']).toEqual({ [type]: {} });
  });

  it.each([200, 202, 204])('is delivered with %i', async (status) => {
    receiver.onEvent = () => new Response(null, { status });
    expect(await revoked()).toMatchObject({ event: 'delivered' });
    expect(await entry()).toMatchObject({ state: 'delivered', attempts: 1 });
    expect((await entry()).problem).toBeUndefined();
  });

  it('is not kept, signed or otherwise in a form that could be sent', async () => {
    const db = await openDatabase();
    harness = await Harness.start({ db, fetch: receiver.fetch });
    receiver.onEvent = () => new Response(null, { status: 503 });
    const idToken = await harness.consented();
    await harness.revoke(idToken);
    const rows = JSON.stringify(await db.transaction((tx) => tx.all('SELECT * FROM outbox')));
    expect(rows).toContain((await entry()).id);
    for (const token of [...receiver.events, idToken]) {
      for (const part of token.split('.')) expect(rows).not.toContain(part);
    }
  });
});

describe('a service that cannot be told', () => {
  it.each([
    [
      'names no events endpoint',
      metadata({}, { events_endpoint: undefined }),
      'no_events_endpoint',
    ],
    [
      'lists no such event',
      metadata({}, { events_supported: ['https://x.test/other'] }),
      'event_not_supported',
    ],
    ['lists no events', metadata({}, { events_supported: undefined }), 'event_not_supported'],
    ['has no agents', { issuer: SERVICE, token_endpoint: `${SERVICE}/t` }, 'no_events_endpoint'],
  ])('%s: revoked here alone, and that is said', async (_what, document, code) => {
    receiver.onMetadata = () => json(document);
    expect(await revoked()).toEqual({
      audience: SERVICE,
      revoked: true,
      event: 'none',
      event_problem: { code },
    });
    expect(receiver.events).toEqual([]);
    harness.clock.advance(HOUR);
    expect(await harness.provider.outbox.deliverDue()).toEqual([]);
  });
});

describe('an event is parked, and sent to nobody, when the metadata', () => {
  it.each<[string, () => Response, string]>([
    [
      'is of another issuer',
      () => json(metadata({ issuer: 'https://evil.test' })),
      'issuer_mismatch',
    ],
    [
      'differs in a final slash',
      () => json(metadata({ issuer: `${SERVICE}/` })),
      'issuer_mismatch',
    ],
    [
      'leads elsewhere',
      () => json(metadata({}, { events_endpoint: 'https://evil.test/e' })),
      'foreign_origin',
    ],
    [
      'leads to another port',
      () => json(metadata({}, { events_endpoint: `${SERVICE}:8443/e` })),
      'foreign_origin',
    ],
    [
      'leads to plain http',
      () => json(metadata({}, { events_endpoint: 'http://service.test/e' })),
      'metadata_invalid',
    ],
    [
      'names a malformed events endpoint',
      () => json(metadata({}, { events_endpoint: ['x'] })),
      'metadata_invalid',
    ],
    ['is a page', () => new Response('<!doctype html>', { status: 200 }), 'metadata_invalid'],
    ['is a list', () => json([]), 'metadata_invalid'],
    ['is too large', () => new Response('x'.repeat(70_000)), 'metadata_invalid'],
    ['is not there', () => new Response('', { status: 404 }), 'metadata_not_found'],
    ['is forbidden', () => new Response('', { status: 403 }), 'http_403'],
    [
      'is elsewhere',
      () => new Response('', { status: 302, headers: { location: 'http://10.0.0.1/' } }),
      'redirected',
    ],
  ])('%s (PSH-10, A-09)', async (_what, answer, code) => {
    receiver.onMetadata = answer;
    expect(await revoked()).toMatchObject({ event: 'parked', event_problem: { code } });
    expect(receiver.requests).toHaveLength(1);
    harness.clock.advance(8 * DAY);
    expect(await harness.provider.outbox.deliverDue()).toEqual([]);
  });
});

describe('a refusal parks the event (PSH-06)', () => {
  it('with the code and the status of the service', async () => {
    receiver.onEvent = () => json({ err: 'invalid_issuer', description: 'Who are you?' }, 400);
    expect(await revoked()).toEqual({
      audience: SERVICE,
      revoked: true,
      event: 'parked',
      event_problem: { code: 'invalid_issuer', status: 400 },
    });
    const problem = { code: 'invalid_issuer', status: 400, text: 'Who are you?' };
    expect(await entry()).toMatchObject({ state: 'parked', problem });
    expect((await entry()).nextAttemptAt).toBeUndefined();
    harness.clock.advance(8 * DAY);
    expect(await harness.provider.outbox.deliverDue()).toEqual([]);
    expect(receiver.events).toHaveLength(1);
  });

  it.each<[string, () => Response, object]>([
    [
      '401 without a body',
      () => new Response(null, { status: 401 }),
      { code: 'http_401', status: 401 },
    ],
    [
      '404 with a page',
      () => new Response('<h1>', { status: 404 }),
      { code: 'http_404', status: 404 },
    ],
    ['307', () => new Response(null, { status: 307 }), { code: 'redirected', status: 307 }],
    [
      'a code that is none',
      () => json({ err: '<b>', description: 7 }, 400),
      { code: 'http_400', status: 400 },
    ],
    [
      'an endless body',
      () => new Response('x'.repeat(70_000), { status: 400 }),
      { code: 'http_400', status: 400 },
    ],
  ])('whatever it is: %s', async (_what, answer, problem) => {
    receiver.onEvent = answer;
    expect(await revoked()).toMatchObject({ event: 'parked' });
    expect((await entry()).problem).toEqual(problem);
  });

  it('and keeps its words as text, cleaned and short (PSH-07, A-31)', async () => {
    const description = `\u001b[2Jno\u202e\u0000${'!'.repeat(1000)}`;
    receiver.onEvent = () => json({ err: 'invalid_request', description }, 400);
    await revoked();
    // A U+0000 makes the whole body unusable; without it the text is cleaned.
    expect((await entry()).problem).toEqual({ code: 'http_400', status: 400 });
    receiver.onEvent = () =>
      json({ err: 'invalid_request', description: description.replace('\u0000', '') }, 400);
    const again = await harness.provider.outbox.sendAgain((await entry()).id);
    expect(again?.problem?.text).toMatch(/^no!+…$/);
    expect(again?.problem?.text).toHaveLength(200);
  });
});

describe('what may pass by itself is tried again', () => {
  it.each<[string, () => Response | Promise<Response>, string]>([
    ['no connection', refusedConnection, 'network_refused'],
    ['503', () => new Response(null, { status: 503 }), 'http_503'],
    ['429', () => new Response(null, { status: 429 }), 'http_429'],
    ['a fetch that fails oddly', () => Promise.reject(new TypeError('odd')), 'network_unknown'],
  ])('%s, at the metadata and at the endpoint', async (_what, answer, code) => {
    receiver.onMetadata = answer;
    expect(await revoked()).toMatchObject({ event: 'pending', event_problem: { code } });
    receiver.onMetadata = () => json(metadata());
    receiver.onEvent = answer;
    harness.clock.advance(10_000);
    expect(await harness.provider.outbox.deliverDue()).toMatchObject([
      { state: 'pending', attempts: 2, problem: { code } },
    ]);
    receiver.onEvent = () => new Response(null, { status: 202 });
    harness.clock.advance(20_000);
    expect(await harness.provider.outbox.deliverDue()).toMatchObject([{ state: 'delivered' }]);
  });

  it('under the same jti and toe, signed again', async () => {
    receiver.onEvent = () => new Response(null, { status: 503 });
    await revoked();
    harness.clock.advance(MINUTE);
    await harness.provider.outbox.deliverDue();
    const [first, second] = receiver.events.map((event) => open(event).claims);
    expect(second).toEqual({ ...first, iat: (first?.iat ?? 0) + 60 });
  });

  it('not before the service wants it', async () => {
    receiver.onEvent = () => new Response(null, { status: 503, headers: { 'retry-after': '120' } });
    await revoked();
    harness.clock.advance(119_000);
    expect(await harness.provider.outbox.deliverDue()).toEqual([]);
    harness.clock.advance(1000);
    expect(await harness.provider.outbox.deliverDue()).toHaveLength(1);
  });

  it('when a body breaks off', async () => {
    receiver.onMetadata = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.error(new NetworkError('reset', 'Broken off.')),
        }),
      );
    expect(await revoked()).toMatchObject({ event_problem: { code: 'network_reset' } });
  });

  it('for seven days; then it is parked until it is sent again by hand', async () => {
    receiver.onEvent = () => new Response(null, { status: 503 });
    await revoked();
    let tries = 1;
    for (let hour = 0; hour < 7 * 24 + 1; hour += 1) {
      harness.clock.advance(HOUR);
      tries += (await harness.provider.outbox.deliverDue()).length;
    }
    expect(await entry()).toMatchObject({ state: 'parked', problem: { code: 'http_503' } });
    expect(tries).toBeGreaterThan(150);
    const again = await harness.provider.outbox.sendAgain((await entry()).id);
    expect(again).toMatchObject({ state: 'pending', attempts: 1 });
  });
});

describe('sending again by hand', () => {
  it('works for what is parked, pending, or could not be told', async () => {
    for (const prepare of [
      () => {
        receiver.onEvent = () => new Response(null, { status: 400 });
      },
      () => {
        receiver.onEvent = refusedConnection;
      },
      () => {
        receiver.onMetadata = () => json(metadata({}, { events_endpoint: undefined }));
      },
    ]) {
      receiver = new Receiver();
      harness = await Harness.start({ fetch: (url, init) => receiver.fetch(url, init) });
      prepare();
      await revoked();
      const before = await entry();
      receiver.onEvent = () => new Response(null, { status: 202 });
      receiver.onMetadata = () => json(metadata());
      const after = await harness.provider.outbox.sendAgain(before.id);
      expect(after).toMatchObject({ state: 'delivered', problem: undefined });
      expect(open(receiver.events.at(-1)).claims.jti).toBe(before.id);
    }
  });

  it('leaves alone what is delivered, and knows no other', async () => {
    await revoked();
    expect(await harness.provider.outbox.sendAgain((await entry()).id)).toMatchObject({
      state: 'delivered',
    });
    expect(receiver.events).toHaveLength(1);
    expect(await harness.provider.outbox.sendAgain('set_unknown')).toBeUndefined();
  });
});

describe('URLs on this machine (A-09)', () => {
  const local = 'http://127.0.0.1:4800';
  const tell = async (options: object) => {
    harness = await Harness.start({ fetch: receiver.fetch, ...options });
    const idToken = await harness.signIn();
    await harness.mintWithConsent(idToken, { audience: local });
    return (await harness.revoke(idToken, { audience: local })).body;
  };

  it('are not knocked at by a provider that is elsewhere', async () => {
    expect(await tell({})).toMatchObject({
      event: 'parked',
      event_problem: { code: 'address_refused' },
    });
    expect(receiver.requests).toEqual([]);
  });

  it('are, when they were configured', async () => {
    await tell({ audiences: [local] });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('the outbox', () => {
  it('forgets what is delivered after a week, and what is parked after a month', async () => {
    const db = await openDatabase();
    harness = await Harness.start({ db, fetch: receiver.fetch });
    await revoked();
    receiver.onEvent = () => new Response(null, { status: 400 });
    await revoked();
    const states = async () => {
      // A revocation clears up; its own entry is left out.
      await harness.revoke(await harness.consented('other@example.com'));
      const entries = await harness.provider.outbox.list();
      return entries.filter(({ email }) => email !== 'other@example.com').map(({ state }) => state);
    };
    harness.clock.advance(7 * DAY - 5000);
    expect(await states()).toEqual(['parked', 'delivered']);
    harness.clock.advance(5000);
    expect(await states()).toEqual(['parked']);
    harness.clock.advance(23 * DAY);
    expect(await states()).toEqual([]);
  });

  it('lies when it is told to: the service hears nothing', async () => {
    harness = await Harness.start({ fetch: receiver.fetch, faults: ['noEvent'] });
    expect(await revoked()).toMatchObject({ event: 'delivered' });
    expect(receiver.requests).toEqual([]);
  });

  it('sends nothing for a provider at another URL: the subject is not its own', async () => {
    const db = await openDatabase();
    receiver.onEvent = refusedConnection;
    harness = await Harness.start({ db, fetch: receiver.fetch });
    await revoked();
    const before = receiver.requests.length;
    const moved = await Harness.start({
      db,
      fetch: receiver.fetch,
      baseUrl: 'https://moved.test',
    });
    moved.clock.advance(HOUR);
    expect(await moved.provider.outbox.deliverDue()).toEqual([]);
    await moved.provider.outbox.sendAgain((await entry()).id);
    expect(receiver.requests).toHaveLength(before);
  });
});
