import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { NoAnswer } from '../../../src/conformance/http/no-answer.ts';
import { sendRaw } from '../../../src/conformance/http/raw.ts';
import { Recorder } from '../../../src/conformance/http/recorder.ts';
import { systemClock } from '../../../src/runtime/index.ts';

const options = { peer: 'provider', clock: systemClock, timeout: 500 };
const servers: Server[] = [];

async function listen(onData: (socket: Socket, chunk: Buffer) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('data', (chunk) => onData(socket, chunk));
    socket.on('error', () => socket.destroy());
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('sendRaw', () => {
  it('reads every answer before that to the next request, however late they come', async () => {
    const url = await listen((socket, chunk) => {
      if (!chunk.includes('GET /next')) return socket.write('HTTP/1.1 200 OK\r\n\r\n');
      // The answer to what was hidden in the first request, which no time between answers would have waited for.
      socket.write('HTTP/1.1 404 Not Found\r\n\r\n');
      return socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const recorder = new Recorder(systemClock);
    const sending = { chunks: ['GET / HTTP/1.1\r\n\r\n'], next: 'GET /next HTTP/1.1\r\n\r\n' };
    const reply = await sendRaw(url, sending, recorder, options);
    expect(reply).toMatchObject({ statuses: [200, 404], closed: false, exchange: 1 });
    expect(recorder.exchanges()[0]).toMatchObject({
      to: 'provider',
      request: { method: 'GET', url },
      response: { status: 200 },
    });
  });

  it('tells a connection that the first answer ended', async () => {
    const url = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const sending = { chunks: ['GET'], next: 'GET /next HTTP/1.1\r\n\r\n' };
    const reply = await sendRaw(url, sending, new Recorder(systemClock), options);
    expect(reply).toMatchObject({ statuses: [400], closed: true });
  });

  it('ends although the peer trickles its answer without end', async () => {
    const url = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const drip = setInterval(() => socket.write(' '), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const request = 'GET / HTTP/1.1\r\n\r\n';
    const reply = await sendRaw(
      url,
      { chunks: [request], next: request },
      new Recorder(systemClock),
      options,
    );
    expect(reply).toMatchObject({ statuses: [200], closed: false });
  });

  it('stops sending when the peer answers and ends the connection', async () => {
    let received = 0;
    const url = await listen((socket, chunk) => {
      received += chunk.length;
      if (received > 100_000) socket.end('HTTP/1.1 413 Too Large\r\n\r\n');
    });
    const endless = function* () {
      for (let at = 0; at < 2_000; at += 1) yield 'x'.repeat(64 * 1024);
    };
    const reply = await sendRaw(url, { chunks: endless() }, new Recorder(systemClock), options);
    expect(reply.statuses).toEqual([413]);
    expect(received).toBeLessThan(2_000 * 64 * 1024);
  });

  it('stops sending when the peer answers, though the connection stays open', async () => {
    const url = await listen((socket) => {
      socket.write('HTTP/1.1 413 Too Large\r\n\r\n');
    });
    let sent = 0;
    const endless = function* () {
      for (; sent < 4_000; sent += 1) yield 'x'.repeat(64 * 1024);
    };
    const reply = await sendRaw(url, { chunks: endless() }, new Recorder(systemClock), options);
    expect(reply.statuses[0]).toBe(413);
    expect(reply.closed).toBe(false);
    expect(sent).toBeLessThan(4_000);
  });

  it('reports that nothing came in time', async () => {
    const url = await listen(() => {});
    const recorder = new Recorder(systemClock);
    const sending = { chunks: ['GET'], timeout: 50 };
    const reply = await sendRaw(url, sending, recorder, options);
    expect(reply).toMatchObject({ statuses: [], closed: false });
    expect(recorder.exchanges()[0]?.problem).toBe('No answer came within 0.05 s.');
  });

  it('throws where nothing listens', async () => {
    const url = await listen(() => {});
    const server = servers.pop();
    await new Promise((closed) => server?.close(closed));
    const recorder = new Recorder(systemClock);
    const sent = sendRaw(url, { chunks: ['GET'] }, recorder, options);
    await expect(sent).rejects.toBeInstanceOf(NoAnswer);
    expect(recorder.wasRefusedAt(new URL(url).origin)).toBe(true);
  });

  it('does not take a connection that was ended at once for one that nobody took', async () => {
    const url = (await listen((socket) => socket.resetAndDestroy())).replace('http:', 'https:');
    const recorder = new Recorder(systemClock);
    const sent = sendRaw(url, { chunks: ['GET'] }, recorder, options);
    await expect(sent).rejects.toBeInstanceOf(NoAnswer);
    expect(recorder.wasRefusedAt(new URL(url).origin)).toBe(false);
  });
});
