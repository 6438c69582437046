import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  type Dispatcher,
  getGlobalDispatcher,
  interceptors,
  MockAgent,
  setGlobalDispatcher,
  Agent as UndiciAgent,
} from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExchangedResponse } from '../../src/runtime/exchanged-response.ts';
import { type FetchInit, limitFetch, readBody, systemFetch } from '../../src/runtime/index.ts';
import { until } from '../support/until.ts';
import { type RawServer, startRawServer } from './raw-server.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

let server: RawServer;
let answer: string | Buffer;
let shared: Dispatcher;
beforeEach(async () => {
  answer = OK;
  server = await startRawServer((socket) => socket.write(answer));
  // The first of all goes by `fetch` itself: nothing is there to send with.
  await (await fetch(server.origin)).text();
  server.requests.length = 0;
  shared = getGlobalDispatcher();
});
afterEach(() => {
  setGlobalDispatcher(shared);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  server.close();
});

const manual = (init: FetchInit = {}): FetchInit => ({ ...init, redirect: 'manual' });
/** What a caller in JavaScript may give. */
const given = (init: object): FetchInit => manual(init as FetchInit);

describe('what is sent without it', () => {
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  const inits: readonly [what: string, init: FetchInit][] = [
    ['nothing given', {}],
    ['a token', { headers: { authorization: 'Bearer abc' } }],
    ['JSON', { method: 'POST', headers: json, body: '{"a":"ä"}' }],
    ['a text', { method: 'POST', body: 'a' }],
    ['bytes', { method: 'PUT', body: new Uint8Array([1, 2, 255]) }],
    ['an empty text', { method: 'POST', headers: json, body: '' }],
    ['POST without a body', { method: 'POST' }],
    ['PATCH without a body', { method: 'PATCH' }],
    ['DELETE', { method: 'DELETE', headers: { 'X-Mixed-Case': 'a  b' } }],
    ['OPTIONS', { method: 'OPTIONS', headers: { 'user-agent': 'mine', 'accept-language': 'de' } }],
    ['a cookie', { headers: { Cookie: 'a=b', 'cache-control': 'no-cache' } }],
  ];
  it.each(inits)('is byte by byte what it sends: %s', async (_what, init) => {
    const url = `${server.origin}/a/%20b?c=d#e`;
    await (await fetch(url, { ...manual(init) })).text();
    const response = await systemFetch(url, manual(init));
    await response.text();
    expect(response).toBeInstanceOf(ExchangedResponse);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]).toBe(server.requests[0]);
  });

  const doubtful: readonly [what: string, path: string, init: FetchInit][] = [
    ['redirects may be followed', '/', {}],
    ['a lonely question mark', '/?', manual()],
    ['a range', '/', manual({ headers: { range: 'bytes=0-1' } })],
    ['a condition', '/', manual({ headers: { 'If-None-Match': '"a"' } })],
    ['a header twice', '/', manual({ headers: { 'x-a': '1', 'X-A': '2' } })],
    ['a value with spaces around', '/', manual({ headers: { 'x-a': ' 1 ' } })],
    ['a value that is not ASCII', '/', manual({ headers: { 'x-a': 'ä' } })],
    ['a method in small letters', '/', manual({ method: 'post' })],
    ['a body that is a form', '/', given({ method: 'POST', body: new URLSearchParams('a=b') })],
    ['a body that is null', '/', given({ body: null })],
    ['no signal, by null', '/', given({ signal: null })],
    ['a value that is a number', '/', given({ headers: { 'x-a': 1 } })],
    ['headers in a list', '/', given({ headers: [['authorization', 'Bearer a']] })],
  ];
  it.each(doubtful)('is left to it where %s', async (_what, path, init) => {
    const response = await systemFetch(server.origin + path, init);
    expect(response).not.toBeInstanceOf(ExchangedResponse);
    expect(response.status).toBe(200);
    await response.text();
  });

  it('takes headers of any form that it takes', async () => {
    for (const headers of [{ authorization: 'Bearer a' }, [['authorization', 'Bearer a']]]) {
      await (await systemFetch(server.origin, given({ headers: new Headers(headers) }))).text();
      await (await limitFetch(systemFetch)(server.origin, given({ headers }))).text();
    }
    expect(server.requests).toHaveLength(4);
    for (const request of server.requests)
      expect(request).toMatch(/\r\nauthorization: Bearer a\r\n/i);
  });

  it.each([
    ['a port that is blocked', 'http://127.0.0.1:6000/', {}],
    ['another scheme', 'ftp://127.0.0.1/', {}],
    ['credentials in the URL', 'http://a:b@127.0.0.1/', {}],
    ['what is no URL', 'nonsense', {}],
    ['a GET with a body', 'http://127.0.0.1/', { body: 'a' }],
    ['a header that is none', 'http://127.0.0.1/', { headers: { 'a b': 'c' } }],
    ['a method that is forbidden', 'http://127.0.0.1/', { method: 'TRACE' }],
  ])('is refused as it refuses it: %s', async (_what, url, init) => {
    const expected = await outcome(fetch(url, manual(init)));
    expect(expected).toHaveProperty('error');
    expect(await outcome(systemFetch(url, manual(init)))).toEqual(expected);
  });
});

describe('what is answered without it', () => {
  const gzip = gzipSync('hello');
  const coded = (coding: string, body: Buffer, length = body.length) =>
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${length}\r\n\r\n`,
      ),
      body,
    ]);
  const answers: readonly [what: string, answer: string | Buffer, method?: string][] = [
    ['a body', OK],
    [
      'a mark of the byte order',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n\u00EF\u00BB\u00BFok',
    ],
    [
      'a body in chunks',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n',
    ],
    ['no length', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nabc'],
    ['an empty body', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['304', 'HTTP/1.1 304 Not Modified\r\netag: "a"\r\n\r\n'],
    ['HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 12\r\ncontent-encoding: gzip\r\n\r\n', 'HEAD'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 1\r\n\r\nx'],
    [
      '401',
      'HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer a="b"\r\nwww-authenticate: DPoP\r\ncontent-length: 0\r\n\r\n',
    ],
    ['407', 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'],
    ['421', 'HTTP/1.1 421 Misdirected Request\r\ncontent-length: 1\r\n\r\nx'],
    ['500 without words', 'HTTP/1.1 500 \r\ncontent-length: 0\r\n\r\n'],
    ['a status that nobody knows', 'HTTP/1.1 799 What\r\ncontent-length: 1\r\n\r\nx'],
    ['hints before it', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}`],
    [
      'a value that is not ASCII',
      'HTTP/1.1 200 OK\r\nx-a: \u00e4\u00ff\r\nset-cookie: a\r\nset-cookie: b\r\ncontent-length: 0\r\n\r\n',
    ],
    ['gzip', coded('gzip', gzip)],
    ['X-GZIP', coded('X-GZIP', gzip)],
    ['deflate', coded('deflate', deflateSync('hello'))],
    ['deflate without its wrapper', coded('deflate', deflateRawSync('hello'))],
    ['br', coded('br', brotliCompressSync('hello'))],
    ['two codings', coded('deflate, gzip', gzipSync(deflateSync('hello')))],
    ['a coding that nobody knows', coded('gzip, zip', gzip)],
    ['six codings', coded('gzip, gzip, gzip, gzip, gzip, gzip', gzip)],
    ['gzip that is none', coded('gzip', Buffer.from('hello'))],
    ['gzip of nothing', coded('gzip', Buffer.alloc(0))],
    ['gzip that is cut', coded('gzip', gzip.subarray(0, 14))],
    ['what is no HTTP', 'hello\r\n\r\n'],
    ['a header too long', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`],
    [
      'a chunk that is none',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n',
    ],
  ];
  it.each(answers)('is what it answers: %s', async (_what, given, method = 'GET') => {
    answer = typeof given === 'string' ? Buffer.from(given, 'latin1') : given;
    // Some end only with the connection.
    const endless = /connection: close/.test(answer.toString('latin1'));
    server.close();
    server = await startRawServer((socket) => {
      socket.write(answer);
      if (endless) socket.end();
    });
    const expected = await outcome(fetch(server.origin, manual({ method })));
    const sent = server.requests.length;
    expect(await outcome(systemFetch(server.origin, manual({ method })))).toEqual(expected);
    expect(server.requests).toHaveLength(2 * sent);
  });

  it('is an error like its own when the connection breaks off, before the answer and in it', async () => {
    for (const begun of ['', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc']) {
      server.close();
      server = await startRawServer((socket) => socket.write(begun, () => socket.destroy()));
      const expected = await outcome(fetch(server.origin, manual()));
      expect(JSON.stringify(expected)).toContain('error');
      expect(await outcome(systemFetch(server.origin, manual()))).toEqual(expected);
    }
    const { origin } = server;
    server.close();
    const expected = await outcome(fetch(origin, manual()));
    expect(await outcome(systemFetch(origin, manual()))).toEqual(expected);
  });
});

describe('a body that is no stream yet', () => {
  const get = () => systemFetch(server.origin, manual());
  const takes: readonly [what: string, take: (response: Response) => Promise<unknown>][] = [
    ['text', (response) => response.text()],
    ['arrayBuffer', async (response) => Buffer.from(await response.arrayBuffer()).toString()],
    ['blob', async (response) => (await response.blob()).text()],
    ['clone', (response) => response.clone().text()],
    ['its stream', (response) => new Response(response.body).text()],
    ['readBody', async (response) => (await readBody(response, 10)).ok && 'ok'],
  ];
  it.each(takes)('is read by %s', async (what, take) => {
    const response = await get();
    expect(response).toBeInstanceOf(Response);
    expect(response.bodyUsed).toBe(false);
    expect(await take(response)).toBe('ok');
    if (what === 'clone') expect(await response.text()).toBe('ok');
    expect(response.bodyUsed).toBe(true);
    expect(response.body?.locked).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    await expect(response.blob()).rejects.toThrow(TypeError);
    expect(() => response.clone()).toThrow(TypeError);
  });

  it('is read as JSON, and refused when it is none', async () => {
    answer = 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}';
    expect(await (await get()).json()).toEqual({ a: 1 });
    answer = OK;
    await expect((await get()).json()).rejects.toThrow(SyntaxError);
  });

  it('holds the sender up when nobody reads, and comes whole', async () => {
    const size = 8 * 1024 * 1024;
    let written = 0;
    server.close();
    server = await startRawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
      const more = () => {
        while (written < size) {
          written += 65_536;
          if (!socket.write(Buffer.alloc(65_536, 'a'))) return void socket.once('drain', more);
        }
      };
      more();
    });
    const response = await get();
    // As long as the sockets take no more, which is less than all.
    let before = -1;
    await until(() => {
      const stands = written === before;
      before = written;
      return stands;
    });
    expect(written).toBeLessThan(size);
    expect(await response.text()).toHaveLength(size);
  });

  it('ends the connection when it is cancelled', async () => {
    answer = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc';
    const response = await get();
    const before = server.ended;
    await response.body?.cancel();
    await until(() => server.ended > before);
  });
});

describe('what sends', () => {
  it('is what the whole process was given', async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    setGlobalDispatcher(mock);
    const pool = mock.get('http://mocked.example');
    for (let times = 0; times < 2; times += 1) {
      pool.intercept({ path: '/a?b', method: 'POST', body: 'c' }).reply(201, { d: 1 });
    }
    const init = manual({ method: 'POST', body: 'c' });
    const expected = await outcome(fetch('http://mocked.example/a?b', init));
    expect(expected).toMatchObject({ status: 201 });
    expect(await outcome(systemFetch('http://mocked.example/a?b', init))).toEqual(expected);
    mock.assertNoPendingInterceptors();
    await mock.close();
  });

  it('follows no redirect, whatever the whole process follows', async () => {
    const elsewhere = await startRawServer((socket) => socket.write(OK));
    answer = `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${elsewhere.origin}\r\ncontent-length: 0\r\n\r\n`;
    const agent = new UndiciAgent();
    setGlobalDispatcher(agent.compose(interceptors.redirect({ maxRedirections: 5 })));
    const init = manual({ method: 'POST', body: 'assertion=secret' });
    for (const send of [fetch, systemFetch, limitFetch(systemFetch)]) {
      expect((await send(server.origin, { ...init })).status).toBe(307);
    }
    expect(server.requests).toHaveLength(3);
    expect(elsewhere.requests).toHaveLength(0);
    elsewhere.close();
    await agent.destroy();
  });

  it('is the global fetch again, as soon as that is another', async () => {
    vi.stubGlobal('fetch', async () => new Response('of a test'));
    expect(await (await systemFetch(server.origin, manual())).text()).toBe('of a test');
    expect(await (await limitFetch(systemFetch)(server.origin, manual())).text()).toBe('of a test');
    vi.unstubAllGlobals();
    expect(await (await systemFetch(server.origin, manual())).text()).toBe('ok');
    expect(server.requests).toHaveLength(1);
  });
});

/** All that a caller sees of an exchange. */
async function outcome(exchange: Promise<Response>): Promise<unknown> {
  try {
    const response = await exchange;
    const { headers, ok, redirected, status, statusText, type, url } = response;
    const hasBody = response.body !== null;
    const head = { ok, redirected, status, statusText, type, url, hasBody };
    const all = { ...head, headers: [...headers], cookies: headers.getSetCookie() };
    return { ...all, body: await response.text().catch(described) };
  } catch (error) {
    return described(error);
  }
}

function described(error: unknown): unknown {
  if (!(error instanceof Error)) return { error };
  const { cause, message, name } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return { error: name, message, code, cause: cause instanceof Error ? cause.name : cause };
}
