import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitFetch, readBody, systemFetch } from '../../src/runtime/index.ts';
import { until } from '../support/until.ts';
import { type RawServer, startRawServer } from './raw-server.ts';

const TEXT = '{"a":1}';
const MANUAL = { redirect: 'manual' } as const;

let server: RawServer;
/** What is written of an answer; the next piece once the one before has been read, as far as anybody can tell. */
let pieces: readonly Buffer[];
beforeEach(async () => {
  pieces = [Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')];
  server = await startRawServer(async (socket) => {
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  await (await fetch(server.origin)).text();
});
afterEach(() => {
  vi.restoreAllMocks();
  server.close();
});

const head = (coding: string, length: number) =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${length}\r\n\r\n`,
  );

describe('an answer with bytes behind the end of its coding', () => {
  const rest = Buffer.from('xyz');
  const codings: readonly [what: string, coding: string, body: Buffer][] = [
    ['deflate', 'deflate', deflateSync(TEXT)],
    ['deflate without its wrapper', 'deflate', deflateRawSync(TEXT)],
    ['two codings', 'deflate, gzip', gzipSync(Buffer.concat([deflateSync(TEXT), rest]))],
  ];
  it.each(codings)('comes whole: %s', async (_what, coding, body) => {
    // Behind gzip another member would have to begin.
    const behind = coding === 'deflate' ? rest : Buffer.alloc(0);
    const start = head(coding, body.length + behind.length);
    for (const sent of [
      [Buffer.concat([start, body, behind])],
      [Buffer.concat([start, body]), behind],
      [start, body.subarray(0, 3), body.subarray(3), behind.subarray(0, 1), behind.subarray(1)],
    ]) {
      pieces = sent;
      for (const send of [systemFetch, limitFetch(systemFetch)]) {
        const response = await send(server.origin, MANUAL);
        expect(await readBody(response, 1_000)).toEqual({ ok: true, text: TEXT });
      }
    }
  });
});

describe('the time limit', () => {
  it('holds, as the signal does, until a body is decoded, though all of it has come', async () => {
    const body = gzipSync(Buffer.alloc(1_000_000));
    pieces = [Buffer.concat([head('gzip', body.length), body])];
    for (const [send, expected] of [
      [systemFetch, { message: 'enough' }],
      [limitFetch(systemFetch), { name: 'NetworkError', code: 'aborted' }],
    ] as const) {
      const aborter = new AbortController();
      const response = await send(server.origin, { ...MANUAL, signal: aborter.signal });
      const reader = response.body?.getReader();
      expect((await reader?.read())?.done).toBe(false);
      aborter.abort(new Error('enough'));
      await expect(reader?.read()).rejects.toMatchObject(expected);
    }
  });

  it('ends with a body that is decoded', async () => {
    const body = gzipSync(TEXT);
    pieces = [head('gzip', body.length), body];
    const aborter = new AbortController();
    const removed = vi.spyOn(aborter.signal, 'removeEventListener');
    const init = { ...MANUAL, signal: aborter.signal };
    const response = await limitFetch(systemFetch)(server.origin, init);
    expect(removed).not.toHaveBeenCalled();
    expect(await response.text()).toBe(TEXT);
    expect(removed).toHaveBeenCalled();
  });

  it('is one for a request that is sent again (421)', async () => {
    const limit = 31_234;
    const set = vi.spyOn(globalThis, 'setTimeout');
    server.close();
    server = await startRawServer((socket) => {
      const answer = 'HTTP/1.1 421 Misdirected Request\r\ncontent-length: 0\r\n\r\n';
      setTimeout(() => socket.write(answer), 40);
    });
    const response = await limitFetch(systemFetch, limit)(server.origin, MANUAL);
    expect(response.status).toBe(421);
    expect(server.requests).toHaveLength(2);
    const limits = set.mock.calls.map(([, delay]) => delay ?? 0).filter((delay) => delay > 31_000);
    expect(limits).toEqual([limit]);
  });
});

describe('a chunk', () => {
  it('shows its reader no more of the memory than itself', async () => {
    pieces = [Buffer.from('HTTP/1.1 200 OK\r\nx-a: b\r\ncontent-length: 2\r\n\r\nok')];
    const response = await systemFetch(server.origin, MANUAL);
    const value = (await response.body?.getReader().read())?.value;
    expect(value?.constructor).toBe(Uint8Array);
    expect(value?.buffer.byteLength).toBe(2);
  });
});

describe('readBody', () => {
  it('rejects with the reason of its signal', async () => {
    pieces = [Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')];
    const reason = new Error('enough');
    for (const send of [systemFetch, limitFetch(systemFetch), fetch]) {
      const aborter = new AbortController();
      const init = { ...MANUAL, signal: aborter.signal };
      const text = readBody(await send(server.origin, init), 1_000, aborter.signal);
      const refused = expect(text).rejects.toBe(reason);
      // What came is read, and the rest waited for.
      await new Promise((resolve) => setTimeout(resolve, 20));
      aborter.abort(reason);
      await refused;
    }
    await until(() => server.ended >= 3);
  });
});
