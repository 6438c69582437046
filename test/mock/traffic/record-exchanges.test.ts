import { request as httpRequest } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import type { FetchHandler } from '../../../src/mock/http/app.ts';
import { ConnectionDropped } from '../../../src/mock/http/connection-dropped.ts';
import { serve } from '../../../src/mock/http/serve.ts';
import { recordExchanges } from '../../../src/mock/traffic/record-exchanges.ts';
import { FakeClock, MemoryLog, silentLog } from '../../../src/runtime/index.ts';
import { type Exchange, ExchangeLog } from '../../../src/traffic/index.ts';

const URL_ = 'https://mock.test/x';
const LIMIT = 16 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);

function recording(handler: FetchHandler, kept?: number) {
  const log = new ExchangeLog(kept);
  const clock = new FakeClock();
  const report = new MemoryLog();
  const fetch = recordExchanges(handler, {
    to: 'service',
    log,
    clock,
    machineClock: clock,
    report,
    isOutside: (path) => path === '/outside',
  });
  const seen = (): readonly Exchange[] => log.read().exchanges;
  const only = (): Exchange => {
    const [first, ...more] = seen();
    if (first === undefined || more.length > 0) throw new Error(`${seen().length} exchanges`);
    return first;
  };
  return { clock, fetch, log, only, report, seen };
}

const post = (
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
) => new Request(URL_, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

/** A body that comes in these parts and never ends. */
function endlessBody(...texts: readonly string[]) {
  const left = [...texts];
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const text = left.shift();
      if (text !== undefined) controller.enqueue(bytes(text));
      else await new Promise(() => {});
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return { stream, isCancelled: () => isCancelled, left };
}

/** A body whose parts come one after another. */
function inParts(...texts: readonly string[]) {
  const left = [...texts];
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await settle();
      const text = left.shift();
      if (text === undefined) controller.close();
      else controller.enqueue(bytes(text));
    },
  });
}

/** Until everything has happened that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the handler', () => {
  it('gets the request as it was', async () => {
    const seen: unknown[] = [];
    const { fetch } = recording(async (request) => {
      seen.push(request.method, request.url, request.headers.get('x-a'), await request.text());
      return new Response('ok');
    });
    await fetch(post('{"a":1}', { 'x-a': 'b' }));
    expect(seen).toEqual(['POST', URL_, 'b', '{"a":1}']);
  });

  it('did not hear that its caller left: the signal and the rest are still the request’s', async () => {
    const heard: unknown[] = [];
    const { fetch } = recording(async ({ redirect, signal }) => {
      heard.push(redirect, signal.aborted);
      leaving.abort();
      heard.push(signal.aborted);
      return new Response('ok');
    });
    const leaving = new AbortController();
    const init = {
      method: 'POST',
      body: '{}',
      redirect: 'manual',
      signal: leaving.signal,
    } as const;
    await fetch(new Request(URL_, init));
    expect(heard).toEqual(['manual', false, true]);
  });

  it('gets as much of a body as it asks for, and may leave it', async () => {
    const endless = endlessBody(...Array(1_000).fill('x'.repeat(1_000)));
    const { fetch, only } = recording(async (request) => {
      const reader = request.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response('enough');
    });
    expect(await (await fetch(post(endless.stream))).text()).toBe('enough');
    expect(endless.left.length).toBeGreaterThan(990);
    expect(endless.isCancelled()).toBe(true);
    expect(only().request).toMatchObject({ bodyState: 'incomplete', bytes: 1_000 });
  });

  it('answers while a body that it does not read goes on for ever', async () => {
    const { stream } = endlessBody('{"a":', '1');
    const { fetch, only } = recording(async () => new Response('no', { status: 404 }));
    expect((await fetch(post(stream))).status).toBe(404);
    expect(only()).toMatchObject({ status: 404, request: { bodyState: 'incomplete' } });
  });

  it('may throw, and what it throws arrives', async () => {
    const { fetch, only } = recording(async () => {
      throw new ConnectionDropped();
    });
    await expect(fetch(post('{"a":1}'))).rejects.toBeInstanceOf(ConnectionDropped);
    expect(only()).toMatchObject({ status: null, response: { headers: {}, body: null } });
    expect(only().request.bytes).toBe(7);
  });
});

describe('the answer', () => {
  it.each(['add', 'complete'] as const)('failed when noting it did (%s)', async (step) => {
    const { fetch, log, report } = recording(async () => new Response(inParts('a', 'b')));
    let tries = 0;
    log[step] = () => {
      tries += 1;
      throw new RangeError('no');
    };
    const response = await fetch(post('{}'));
    expect(await response.text()).toBe('ab');
    await vi.waitFor(() => expect(tries).toBeGreaterThan(0));
    expect(report.entries[0]).toMatchObject({
      event: 'exchanges.unrecorded',
      fields: { name: 'RangeError' },
    });
  });

  it('stays as it was', async () => {
    const headers = new Headers({ 'content-type': 'text/x; charset=latin1', 'x-a': 'b' });
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    const { fetch } = recording(
      async () => new Response('ok', { status: 203, statusText: 'So', headers }),
    );
    const response = await fetch(new Request(URL_));
    expect([...response.headers]).toEqual([...headers]);
    expect([response.status, response.statusText, await response.text()]).toEqual([
      203,
      'So',
      'ok',
    ]);
  });

  it.each([204, 304])('may have no body, as %d', async (status) => {
    const { fetch, only } = recording(async () => new Response(null, { status }));
    expect((await fetch(new Request(URL_))).body).toBeNull();
    expect(only().response).toMatchObject({ body: null, bodyState: 'none', bytes: 0 });
  });

  it('may come in parts, which arrive as they come', async () => {
    let release: () => void = () => {};
    const more = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { fetch, only } = recording(async () => {
      const stream = new ReadableStream<Uint8Array>({
        start: async (controller) => {
          controller.enqueue(bytes('first '));
          await more;
          controller.enqueue(bytes('second'));
          controller.close();
        },
      });
      return new Response(stream);
    });
    const response = await fetch(new Request(URL_));
    expect(only().response).toMatchObject({ bodyState: 'incomplete', bytes: 6 });
    release();
    expect(await response.text()).toBe('first second');
    await settle();
    expect(only().response).toMatchObject({ body: 'first second', bodyState: 'whole' });
  });

  it('may be endless; whoever leaves ends it', async () => {
    const endless = endlessBody('x');
    const { fetch, only } = recording(async () => new Response(endless.stream));
    const response = await fetch(new Request(URL_));
    await response.body?.cancel();
    await settle();
    expect(endless.isCancelled()).toBe(true);
    expect(only().response.bodyState).toBe('incomplete');
  });

  it('may break off', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new Error('gone')),
    });
    const { fetch, only } = recording(async () => new Response(stream));
    await expect((await fetch(new Request(URL_))).text()).rejects.toThrow('gone');
    await settle();
    expect(only().response).toMatchObject({ bodyState: 'incomplete', bytes: 0 });
  });

  it('may be no bytes: then its source is ended, too', async () => {
    let isCancelled = false;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue('a text'),
      cancel: () => {
        isCancelled = true;
      },
    });
    const { fetch, only } = recording(async () => new Response(stream));
    await expect((await fetch(new Request(URL_))).text()).rejects.toThrow();
    await settle();
    expect(isCancelled).toBe(true);
    expect(only().response.bodyState).toBe('incomplete');
  });

  it('has the length on the wire that it had', async () => {
    const handler: FetchHandler = async (request) =>
      new Response(request.method === 'HEAD' ? null : 'x'.repeat(100_000), {
        headers: { 'x-body': await request.text() },
      });
    const onWire = async (app: FetchHandler, method: string) => {
      const build = async () => app;
      const served = await serve({ host: '127.0.0.1', port: 0, build, log: silentLog });
      const body = method === 'POST' ? 'a=1' : undefined;
      const response = await fetch(served.origin, { method, ...(body && { body }) });
      const text = await response.text();
      await served.close();
      return { text, headers: [...response.headers].filter(([name]) => name !== 'date') };
    };
    for (const method of ['GET', 'HEAD', 'POST']) {
      const expected = await onWire(handler, method);
      expect(await onWire(recording(handler).fetch, method)).toEqual(expected);
    }
    const { headers } = await onWire(recording(handler).fetch, 'POST');
    expect(headers).toContainEqual(['content-length', '100000']);
    expect(headers).toContainEqual(['x-body', 'a=1']);
  });
});

describe('an exchange', () => {
  it('says when, what and how long', async () => {
    const { clock, fetch, only } = recording(async () => {
      clock.advance(40);
      return new Response('{"ok":true}', { headers: { 'content-type': 'application/json' } });
    });
    await fetch(new Request(`${URL_}?a=b`, { headers: { Accept: '*/*' } }));
    expect(only()).toEqual({
      seq: 1,
      to: 'service',
      at: clock.now() - 40,
      duration: 40,
      method: 'GET',
      url: `${URL_}?a=b`,
      path: '/x',
      request: { headers: { accept: '*/*' }, body: null, bodyState: 'none', bytes: 0 },
      status: 200,
      response: {
        headers: { 'content-type': 'application/json' },
        body: { ok: true },
        bodyState: 'whole',
        bytes: 11,
      },
    });
  });

  it.each<[what: string, type: string, body: string | Uint8Array<ArrayBuffer>, shown: object]>([
    ['JSON', 'application/problem+json', '{"a":[1,null]}', { body: { a: [1, null] } }],
    ['JSON without its type', '', '{"a":1}', { body: { a: 1 } }],
    ['what is no JSON', 'application/json', '{"a":', { body: '{"a":' }],
    [
      'a form',
      'application/x-www-form-urlencoded',
      'a=1&b=x+y&a=2',
      { body: { a: ['1', '2'], b: 'x y' } },
    ],
    ['text', 'text/plain', 'a', { body: 'a' }],
    [
      'a page',
      'text/html',
      '<title>A &amp; B</title>x',
      { body: { title: 'A &amp; B' }, bodyState: 'page' },
    ],
    ['bytes', 'image/png', new Uint8Array([255, 0]), { body: null, bodyState: 'binary', bytes: 2 }],
    ['U+0000', 'text/plain', 'a\0', { body: null, bodyState: 'binary' }],
    ['deep JSON', 'application/json', '['.repeat(5_000), { bodyState: 'whole' }],
    ['__proto__', 'application/json', '{"__proto__":1}', { body: JSON.parse('{"__proto__":1}') }],
    ['a long text', 'text/plain', 'a '.repeat(LIMIT), { bodyState: 'cut', bytes: 2 * LIMIT }],
  ])('shows %s', async (_what, type, body, shown) => {
    const { fetch, only } = recording(async () => new Response('', { status: 404 }));
    await fetch(post(body, { 'content-type': type }));
    expect(only().request).toMatchObject(shown);
  });

  it('shows no more of a long body than its beginning', async () => {
    const { fetch, only } = recording(async (request) => new Response(await request.text()));
    await fetch(post('a '.repeat(100_000)));
    expect(only().request.bytes).toBe(200_000);
    for (const { body, bodyState } of [only().request, only().response]) {
      expect(bodyState).toBe('cut');
      expect(String(body).length).toBeLessThanOrEqual(LIMIT + 1);
      expect(body).toMatch(/^a a .* …$/);
    }
  });

  it('shows a body that is deeper than any, and that of a method which no copy may have', async () => {
    const { fetch, report, seen } = recording(async () => new Response(''));
    await fetch(post(`${'[{"a":'.repeat(200)}1${'}]'.repeat(200)}`));
    await fetch(post(JSON.stringify({ a: '\ud800=%41\ud800', b: `x=%2F${'\udfff'}` })));
    expect(seen()).toHaveLength(2);
    expect(report.entries).toEqual([]);
  });

  it('counts as long as its headers are, too', async () => {
    const { fetch, log } = recording(async () => new Response(''));
    const headers = { 'x-a': 'a'.repeat(1024 * 1024) };
    for (let n = 0; n < 66; n += 1) await fetch(new Request(URL_, { headers }));
    expect(log.read().dropped).toBeGreaterThan(2);
  });

  it('is none of the calls that are not the mock’s own', async () => {
    const { fetch, seen } = recording(async () => new Response(''));
    await fetch(new Request('https://mock.test/outside'));
    expect(seen()).toEqual([]);
  });

  it.each<[what: string, handler: FetchHandler, body?: string]>([
    ['nothing was sent', async () => Response.json({ a: 1 })],
    ['the body was read', async (request) => new Response(await request.text()), '{"a":1}'],
    ['nobody read the body', async () => new Response('no', { status: 404 }), '{"a":1}'],
    ['no body was answered', async () => new Response(null, { status: 204 }), 'a=1'],
    ['the answer is long', async () => new Response('a '.repeat(LIMIT))],
    ['the answer came in parts', async () => new Response(inParts('a', 'b', 'c'))],
    [
      'cookies were set',
      async () =>
        new Response('', {
          headers: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
          ],
        }),
    ],
  ])('is over the wire what it is in this process, where %s', async (_what, handler, body) => {
    const init = { method: body === undefined ? 'GET' : 'POST', ...(body && { body }) };
    const inProcess = recording(handler);
    const answer = await inProcess.fetch(new Request(URL_, init));
    await answer.text();
    const overWire = recording(handler);
    const build = async () => overWire.fetch;
    const served = await serve({ host: '127.0.0.1', port: 0, build, log: silentLog });
    const received = await fetch(served.origin, init);
    await received.text();
    await served.close();
    const { request, response, status } = inProcess.only();
    const seen = overWire.only();
    expect(seen.status).toBe(status);
    expect(seen.request).toMatchObject({ ...request, headers: {} });
    expect(seen.response).toMatchObject(response);
  });

  it('is recorded of a client that goes away in the middle of its body', async () => {
    const { fetch: app, seen } = recording(async (request) => {
      await request.text().catch(() => {});
      return new Response('');
    });
    const served = await serve({
      host: '127.0.0.1',
      port: 0,
      build: async () => app,
      log: silentLog,
    });
    const { port } = served;
    await new Promise<void>((resolve) => {
      const client = httpRequest({ port, method: 'POST', headers: { 'content-length': '10' } });
      client.on('error', () => resolve());
      client.on('close', () => resolve());
      client.write('abc', () => setImmediate(() => client.destroy()));
    });
    const answer = await fetch(served.origin, { method: 'POST', body: 'whole' });
    await answer.text();
    await served.close();
    expect(seen().map(({ request }) => request.bodyState)).toContain('whole');
  });
});
