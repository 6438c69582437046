import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/mock/http/app.ts';
import { oauthEnvelope, registrationEnvelope } from '../../../src/mock/http/envelopes.ts';
import type { Envelope, Route } from '../../../src/mock/http/request.ts';
import { json, publicDocument, wireProblem } from '../../../src/mock/http/response.ts';
import { StoreBusyError, StoreOpenError } from '../../../src/mock/store/database.ts';
import { MemoryLog, systemClock } from '../../../src/runtime/index.ts';

const BASE = 'https://mock.example';

function appOf(routes: readonly Partial<Route>[], fallback: Envelope = registrationEnvelope) {
  const log = new MemoryLog();
  const app = createApp({
    clock: systemClock,
    routes: routes.map((route) => ({
      method: 'GET',
      path: '/thing',
      envelope: oauthEnvelope,
      handle: () => json({ fine: true }),
      ...route,
    })),
    fallback,
    log,
  });
  const send = (method: string, path = '/thing') => app(new Request(BASE + path, { method }));
  return { send, log };
}

describe('an application', () => {
  it('answers HEAD like GET, without a body', async () => {
    const { send } = appOf([{}]);
    const head = await send('HEAD');
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe('application/json');
    expect(await head.text()).toBe('');
  });

  it.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'BREW'])(
    'refuses %s on a known path and names what it takes',
    async (method) => {
      const { send } = appOf([{}, { method: 'POST' }]);
      const response = await send(method);
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
      expect(await response.json()).toEqual({
        error: 'invalid_request',
        error_description: 'This URL does not support that method.',
      });
    },
  );

  it('refuses GET on a path that takes POST alone', async () => {
    const { send } = appOf([{ method: 'POST' }]);
    for (const method of ['GET', 'HEAD']) {
      const response = await send(method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it.each(['/nothing', '/thing/', '/THING', '/%00', '/thing%2f', '//thing', '/..%2fthing', '/%zz'])(
    'has nothing at %s, and says so in the fallback envelope',
    async (path) => {
      const { send } = appOf([{}]);
      const response = await send('GET', path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        error: 'not_found',
        message: expect.stringMatching(/at this URL/),
      });
    },
  );

  it('renders a problem in the envelope of its route', async () => {
    const { send } = appOf([
      {
        handle: () => {
          throw wireProblem('token', 'invalid_grant');
        },
      },
    ]);
    const response = await send('GET');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('turns an unexpected error into 503 and tells its name and place to the log, never its text', async () => {
    const secret = 'at_do-not-print-me';
    const { send, log } = appOf([{ handle: async () => Promise.reject(new RangeError(secret)) }]);
    const response = await send('GET');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.text()).toMatch(/^\{"error":"temporarily_unavailable",/);
    const entry = log.entries.find(({ event }) => event === 'http.unexpected');
    expect(entry?.fields).toEqual({
      name: 'RangeError',
      at: expect.stringMatching(/^app\.test\.ts:\d+:\d+$/),
    });
    expect(JSON.stringify(log.entries)).not.toContain(secret);
  });

  it.each([
    ['a busy store', new StoreBusyError()],
    ['a thrown string', 'no error at all'],
    ['a thrown null', null],
  ])('answers 503 to %s', async (_what, thrown) => {
    const { send } = appOf([
      {
        handle: () => {
          throw thrown;
        },
      },
    ]);
    expect((await send('GET')).status).toBe(503);
  });

  it('answers 503 when its store fails, and warns once with the code and what to do', async () => {
    const error = new StoreOpenError('damaged', '/data/mock.db');
    const { send, log } = appOf([{ handle: async () => Promise.reject(error) }]);
    const response = await send('GET');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.text()).not.toContain('/data');
    const fields = { code: 'damaged', message: error.message };
    expect(log.entries.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', event: 'http.store_failed', fields },
    ]);
  });

  it('answers 503 even when an envelope fails', async () => {
    const { send } = appOf([
      {
        envelope: () => {
          throw new Error('broken');
        },
        handle: () => {
          throw wireProblem('token', 'invalid_grant');
        },
      },
    ]);
    expect((await send('GET')).status).toBe(503);
  });

  it('logs the path of an exchange without a token in it', async () => {
    const { send, log } = appOf([{}]);
    await send('GET', '/c/cat_X5hLimyzYSwu2q-MeUTjESuy01o/more');
    expect(log.entries[0]?.fields).toMatchObject({ path: '/c/***/more' });
  });

  it('logs the path of an exchange without its query', async () => {
    const { send, log } = appOf([{}]);
    await send('GET', '/thing?claim_attempt_token=cat_secret');
    expect(log.entries).toEqual([
      {
        level: 'debug',
        event: 'http.exchange',
        fields: { method: 'GET', path: '/thing', status: 200 },
      },
    ]);
  });
});

describe('replies', () => {
  it('forbid keeping a JSON answer', async () => {
    const { headers } = json({});
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
  });

  it('serve a public document afresh each time, written once', async () => {
    let writes = 0;
    const document = publicDocument(() => {
      writes += 1;
      return { issuer: BASE };
    });
    const [first, second] = [document(), document()];
    expect(await first.text()).toBe(await second.text());
    expect(writes).toBe(1);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('pragma')).toBeNull();
    first.headers.set('pragma', 'x');
    expect(document().headers.get('pragma')).toBeNull();
  });

  it('write a public document again once it is made from something else', async () => {
    let keys = ['a'];
    const document = publicDocument(
      () => ({ keys }),
      'application/jwk-set+json',
      () => keys,
    );
    expect(await document().json()).toEqual({ keys: ['a'] });
    keys = ['b'];
    expect(await document().json()).toEqual({ keys: ['b'] });
    expect(document().headers.get('content-type')).toBe('application/jwk-set+json');
  });
});
