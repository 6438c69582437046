import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createLocalAuthority } from '../../../src/cli/mock/servers/mock-tls.ts';
import { createApp, type FetchHandler } from '../../../src/mock/http/app.ts';
import { remoteIp } from '../../../src/mock/http/connection.ts';
import { oauthEnvelope } from '../../../src/mock/http/envelopes.ts';
import { ListenError } from '../../../src/mock/http/listen-error.ts';
import { bodyReader, readJsonObject } from '../../../src/mock/http/request.ts';
import { json } from '../../../src/mock/http/response.ts';
import { type Served, serve } from '../../../src/mock/http/serve.ts';
import { silentLog, systemClock } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { freePort } from '../../support/free-port.ts';

const app: FetchHandler = createApp({
  clock: systemClock,
  routes: [
    {
      method: 'GET',
      path: '/',
      envelope: oauthEnvelope,
      handle: (c) => json({ from: remoteIp(c.req.raw) }),
    },
    {
      method: 'POST',
      path: '/',
      envelope: oauthEnvelope,
      handle: async (c) => json(await readJsonObject(bodyReader, c, 'token')),
    },
    // Never looks at what is sent.
    {
      method: 'POST',
      path: '/deaf',
      envelope: oauthEnvelope,
      handle: () => json({ heard: false }),
    },
  ],
  fallback: oauthEnvelope,
  log: silentLog,
});

const open: Served[] = [];
async function start(build: (origin: string) => Promise<FetchHandler> = async () => app, port = 0) {
  const served = await serve({ host: '127.0.0.1', port, build, log: silentLog });
  open.push(served);
  return served;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

describe('serving https', () => {
  const startTls = async () => {
    const { ca, files } = await createLocalAuthority(['127.0.0.1']);
    const build = async () => app;
    const served = await serve({ host: '127.0.0.1', port: 0, build, log: silentLog, tls: files });
    open.push(served);
    return { served, ca };
  };

  it('answers who trusts its authority, under an https origin', async () => {
    const { served, ca } = await startTls();
    expect(served.origin).toBe(`https://127.0.0.1:${served.port}`);
    const answer = await createSystemFetch({ ca: [ca] })(`${served.origin}/`);
    expect(await answer.json()).toEqual({ from: '127.0.0.1' });
    await expect(createSystemFetch()(`${served.origin}/`)).rejects.toMatchObject({ code: 'tls' });
  });

  it('gives who speaks plain http no answer, and says so of who speaks https to http', async () => {
    const { served } = await startTls();
    const plain = served.origin.replace('https:', 'http:');
    await expect(createSystemFetch()(`${plain}/`)).rejects.toThrow();
    const { port } = await start();
    await expect(createSystemFetch()(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'not_tls',
    });
  });

  it('closes although a peer never finishes its handshake', async () => {
    const { served } = await startTls();
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    const ended = once(socket, 'close');
    await served.close();
    await ended;
  });
});

/** Sends bytes and reads until the server ends the connection. */
async function exchange(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  for (const part of parts) socket.write(part);
  return text(socket);
}

describe('serving', () => {
  it('knows its origin before the application is built', async () => {
    let seen = '';
    const served = await start(async (origin) => {
      seen = origin;
      return app;
    });
    expect(seen).toBe(served.origin);
    expect(served.origin).toBe(`http://127.0.0.1:${served.port}`);
    expect(await (await fetch(served.origin)).json()).toEqual({ from: '127.0.0.1' });
  });

  it('lets requests wait for the application', async () => {
    let early: Promise<Response> | undefined;
    await start(async (origin) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
      early = fetch(origin);
      return app;
    });
    expect((await early)?.status).toBe(200);
  });

  it.each<[string, (failure: Error) => Promise<FetchHandler>]>([
    ['a promise', (failure) => Promise.reject(failure)],
    [
      'a call',
      (failure) => {
        throw failure;
      },
    ],
  ])('gives the port back when the application cannot be built by %s', async (_how, fail) => {
    const port = await freePort();
    const failing = start(() => fail(new TypeError('wrong option')), port);
    await expect(failing).rejects.toThrow('wrong option');
    expect((await start(undefined, port)).port).toBe(port);
  });

  it('says that a port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const error = await serve({
      host: '127.0.0.1',
      port,
      build: async () => app,
      log: silentLog,
    }).catch((reason: unknown) => reason);
    other.close();
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({ code: 'in_use', port });
  });

  it('says that an address is not of this machine', async () => {
    const serving = serve({ host: '192.0.2.1', port: 0, build: async () => app, log: silentLog });
    await expect(serving).rejects.toMatchObject({ name: 'ListenError', code: 'unavailable' });
  });

  it('ends idle and active connections when it closes', async () => {
    let arrived: () => void = () => {};
    const busy = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const served = await start(async () => () => {
      arrived();
      return new Promise<Response>(() => {});
    });
    const idle = connect(served.port, '127.0.0.1');
    await once(idle, 'connect');
    const hanging = exchange(served.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await busy;
    await served.close();
    expect(await hanging).toBe('');
  });
});

describe('a hostile upload', () => {
  const head = (length: number | undefined, path = '/') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    (length === undefined
      ? 'Transfer-Encoding: chunked\r\n\r\n'
      : `Content-Length: ${length}\r\n\r\n`);

  it('that is too large is answered with 413', async () => {
    const { origin } = await start();
    const response = await fetch(origin, {
      method: 'POST',
      body: ' '.repeat(1_000_000),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(413);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('that never ends is answered and cut off', async () => {
    const { port } = await start();
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const answer = await exchange(port, head(undefined), ...Array<string>(8).fill(chunk));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('that announces more than it sends is answered and cut off', async () => {
    const { port } = await start();
    const answer = await exchange(port, head(10_000_000), ' '.repeat(70_000));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('that nobody reads leaves the connection in order', async () => {
    const { port } = await start();
    const answer = await exchange(
      port,
      `${head(5, '/deaf')}hello`,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it.each([
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n'],
    ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['a flood of headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
  ])('with %s is refused', async (_what, bytes) => {
    const { port } = await start();
    expect(await exchange(port, bytes)).toMatch(/^HTTP\/1\.1 4(00|31) /);
  });
});

describe('odd methods over the wire', () => {
  it.each(['TRACE', 'OPTIONS', 'PROPFIND'])('%s gets 405 with Allow', async (method) => {
    const { port } = await start();
    const answer = await exchange(
      port,
      `${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/\r\nallow: GET, HEAD, POST\r\n/i);
  });
});
