import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createLocalAuthority } from '../../../src/cli/mock/servers/mock-tls.ts';
import type { FetchHandler } from '../../../src/mock/http/app.ts';
import { type Served, type ServeOptions, serve } from '../../../src/mock/http/serve.ts';
import { connectionLimit } from '../../../src/mock/http/serve-connections.ts';
import { MemoryLog } from '../../../src/runtime/index.ts';
import { createMockService } from '../../../src/testing/mock-service.ts';
import { until } from '../../support/until.ts';

const sockets: Socket[] = [];
const servers: Served[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((served) => served.close()));
});

const answer: FetchHandler = async (request) => new Response(await request.text());

async function start(options: Partial<ServeOptions> = {}) {
  const log = new MemoryLog();
  const served = await serve({
    host: '127.0.0.1',
    port: 0,
    build: async () => answer,
    log,
    // Nobody is cut off for being slow.
    limits: { connections: 20, headers: 600_000, request: 600_000, idle: 600_000 },
    ...options,
  });
  servers.push(served);
  return { log, port: served.port };
}

async function open(port: number, bytes = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

const HEAD = 'Host: x\r\nConnection: close\r\n';

async function ask(port: number, body = 'hello'): Promise<string> {
  const length = `Content-Length: ${body.length}`;
  const socket = await open(port, `POST / HTTP/1.1\r\n${HEAD}${length}\r\n\r\n${body}`);
  return text(socket);
}

/** What a peer sends that holds a connection. */
const CROWDS: readonly (readonly [what: string, bytes: string])[] = [
  ['nothing', ''],
  ['half a header', 'GET / HTTP/1.1\r\nHost: 127'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'],
];

describe('a crowd that sends', () => {
  it.each(CROWDS)('%s locks nobody out', async (_what, bytes) => {
    const { log, port } = await start();
    const crowd: Socket[] = [];
    for (let n = 0; n < 60; n += 1) crowd.push(await open(port, bytes));
    expect(await ask(port)).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello$/);
    // Those that came first made room.
    await Promise.all(
      crowd.slice(0, 40).map((socket) => socket.destroyed || once(socket, 'close')),
    );
    expect(log.entries.filter(({ event }) => event === 'http.connections_full')).toHaveLength(1);
  });

  it('nothing over TLS locks nobody out, within a handshake or after it', async () => {
    const { ca, files } = await createLocalAuthority(['127.0.0.1']);
    const { port } = await start({ tls: files });
    const secure = async () => {
      const socket = connectTls({ port, host: '127.0.0.1', ca });
      sockets.push(socket);
      socket.on('error', () => {});
      await once(socket, 'secureConnect');
      return socket;
    };
    for (let n = 0; n < 25; n += 1) await open(port);
    for (let n = 0; n < 25; n += 1) await secure();
    const client = await secure();
    client.write(`GET / HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await text(client)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('a crowd that reads no answers locks nobody out', async () => {
  const long: FetchHandler = async (request) =>
    request.method === 'GET' ? new Response('x'.repeat(32 * 1024 * 1024)) : answer(request);
  const { port } = await start({ build: async () => long, limits: { connections: 3 } });
  for (let n = 0; n < 3; n += 1) {
    const socket = await open(port, `GET / HTTP/1.1\r\n${HEAD}\r\n`);
    await once(socket, 'readable');
  }
  expect(await ask(port)).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello$/);
});

describe('when every connection has a request in the works', () => {
  it('a new one is turned away, and the others get their answers', async () => {
    const waiting: (() => void)[] = [];
    const slow: FetchHandler = () =>
      new Promise((resolve) => waiting.push(() => resolve(new Response('late'))));
    const { port } = await start({ build: async () => slow, limits: { connections: 3 } });
    const answers = [1, 2, 3].map(async () => {
      const socket = await open(port, `GET / HTTP/1.1\r\n${HEAD}\r\n`);
      return text(socket);
    });
    await until(() => waiting.length === 3);
    expect(await text(await open(port, `GET / HTTP/1.1\r\n${HEAD}\r\n`)).catch(() => '')).toBe('');
    for (const answerNow of waiting) answerNow();
    for (const got of await Promise.all(answers)) expect(got).toMatch(/late$/);
  });
});

describe('how many connections there are', () => {
  it.each([
    [undefined, 1_000],
    [1_048_576, 1_000],
    [1_024, 482],
    [100, 20],
    [64, 8],
  ])('of %s open files', (files, limit) => {
    expect(connectionLimit(files)).toBe(limit);
  });
});

describe('a mock service', () => {
  it('serves a client while 1,200 others hold half a request', async () => {
    const { port } = await start({
      limits: { headers: 600_000, request: 600_000, idle: 600_000 },
      build: async (baseUrl) => (await createMockService({ baseUrl })).fetch,
    });
    for (let n = 0; n < 1_200; n += 1) await open(port, CROWDS[n % 3]?.[1]);
    for (let n = 0; n < 5; n += 1) {
      const url = `http://127.0.0.1:${port}/agent/identity`;
      const registered = await fetch(url, {
        method: 'POST',
        body: '{"type":"anonymous"}',
        headers: { 'content-type': 'application/json' },
      });
      expect(registered.status).toBe(200);
    }
  });
});
