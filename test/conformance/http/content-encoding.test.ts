import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { HttpClient } from '../../../src/conformance/http/http-client.ts';
import { Recorder } from '../../../src/conformance/http/recorder.ts';
import { systemClock } from '../../../src/runtime/index.ts';

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
