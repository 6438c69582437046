import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../../../src/conformance/http/http-client.ts';
import { Recorder } from '../../../src/conformance/http/recorder.ts';
import { httpControl } from '../../../src/conformance/target/http-control.ts';
import { systemClock } from '../../../src/runtime/index.ts';
import { freePort } from '../../support/free-port.ts';

const http = new HttpClient({ peer: 'service', clock: systemClock, timeout: 5_000 });
const servers: Server[] = [];

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const send = (url: string) => http.send(url, {}, new Recorder(systemClock));

describe("the suite's own client", () => {
  it('gives header names in lower case, and each line by itself', async () => {
    const url = await listen((_request, response) => {
      response.setHeader('X-Test', ['one', 'Two']);
      response.end('{}');
    });
    expect((await send(url)).headerLines('x-test')).toEqual(['one', 'Two']);
  });

  it('reads no more than a mebibyte of an answer, and what it has is judged', async () => {
    const url = await listen((_request, response) => {
      response.end('x'.repeat(3 * 1024 * 1024));
    });
    const { status, text } = await send(url);
    expect(status).toBe(200);
    expect(text.length).toBeLessThanOrEqual(1024 * 1024);
    expect(text.length).toBeGreaterThan(900 * 1024);
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const url = await listen((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await send(url)).status).toBe(302);
    expect(asked).toEqual(['/']);
  });

  it('distinguishes a closed port from a broken connection', async () => {
    await expect(send(`http://127.0.0.1:${await freePort()}`)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('Nothing listens'),
    });
    const url = await listen((request) => request.socket.destroy());
    await expect(send(url)).rejects.toMatchObject({ kind: 'broken' });
  });
});

describe('the control of a target, over HTTP', () => {
  const controlled = async (status = 200) => {
    const calls: { readonly path: string | undefined; readonly body: string }[] = [];
    const url = await listen((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        calls.push({ path: request.url, body });
        const refused = request.method === 'POST' && status !== 200;
        response.writeHead(refused ? status : 200, { 'content-type': 'application/json' });
        response.end(refused ? '{"error":"forbidden"}' : '{"clock_offset_ms":60000}');
      });
    });
    const control = await httpControl(http, systemClock, { url: `${url}/`, token: 'ctl' });
    return { calls, control };
  };

  it('moves the clock by whole seconds, never by too few', async () => {
    const { calls, control } = await controlled();
    await control.advance(1500);
    expect(calls.at(-1)).toEqual({ path: '/__mock/clock', body: '{"advance":"2s"}' });
  });

  it('sets the clock to what it was before', async () => {
    const { calls, control } = await controlled();
    await control.advance(3_600_000);
    await control.restore();
    expect(calls.at(-1)).toEqual({ path: '/__mock/clock', body: '{"offset_ms":60000}' });
  });

  it('names what was refused: nothing is judged by a clock that did not move', async () => {
    const { control } = await controlled(403);
    await expect(control.advance(1000)).rejects.toThrow('/__mock/clock: 403 forbidden');
    await expect(control.trust({ issuer: 'x', jwksUri: 'y' })).rejects.toThrow('/__mock/trust');
  });
});

it('gives up an answer that trickles without end when its time is over', async () => {
  const server = createServer((_request, response) => {
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = new HttpClient({ peer: 'service', clock: systemClock, timeout: 200 });
  await expect(
    http.send(`http://127.0.0.1:${port}/`, {}, new Recorder(systemClock)),
  ).rejects.toMatchObject({ kind: 'timeout', message: expect.stringContaining('in time') });
  await http.close();
  server.closeAllConnections();
  server.close();
});

it('keeps its connections, though the peer has closed all those that it had', async () => {
  let connections = 0;
  const server = createServer(({ method }, response) => {
    if (method === 'HEAD') response.setHeader('connection', 'close');
    response.end(method === 'HEAD' ? undefined : 'ok');
  }).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new HttpClient({ peer: 'service', clock: systemClock, timeout: 5_000 });
  const recorder = new Recorder(systemClock);
  const send = (method: string) => client.send(url, { method }, recorder);
  try {
    await Promise.all([send('GET'), send('GET')]);
    await send('HEAD');
    await send('HEAD');
    for (let n = 0; n < 10; n += 1) await send('GET');
    expect(connections).toBeLessThanOrEqual(5);
  } finally {
    await client.close();
    server.close();
  }
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function answerOf(coding: string, body: Buffer): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-encoding': coding }).end(body),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const client = new HttpClient({ peer: 'service', clock: systemClock, timeout: 5_000 });
  closing.push(
    () => client.close(),
    () => server.close(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (await client.send(url, {}, new Recorder(systemClock))).text;
}

it.each([
  ['gzip', gzipSync('{"a":1}')],
  ['deflate', deflateSync('{"a":1}')],
  ['br', brotliCompressSync('{"a":1}')],
])('an answer in %s is decoded, though nobody asked for it', async (coding, body) => {
  expect(await answerOf(coding, body)).toBe('{"a":1}');
});

it.each(['zstd', 'gzip'])('what cannot be decoded as %s is named as the cause', async (coding) => {
  expect(await answerOf(coding, Buffer.from('no such thing'))).toContain(
    `Content-Encoding: ${coding}, which could not be decoded`,
  );
});
