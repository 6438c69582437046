import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { bodyReader } from '../../../src/mock/http/request.ts';
import type { WireProblem } from '../../../src/mock/http/response.ts';
import { serve } from '../../../src/mock/http/serve.ts';
import { silentLog } from '../../../src/runtime/index.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

/** What `look` makes of a request that came over the wire. */
async function serving(look: (request: Request) => Promise<unknown>) {
  const served = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async () => async (request) => Response.json(await look(request)),
  });
  open.push(served);
  const post = async (body: string | Uint8Array<ArrayBuffer> | ReadableStream) =>
    (await fetch(served.origin, { method: 'POST', body, duplex: 'half' } as RequestInit)).json();
  return { ...served, post };
}

const textOf = (request: Request, limit = 100) =>
  bodyReader.text(request, limit).catch((problem: WireProblem) => problem.code);

describe('the body of a request over the wire', () => {
  it('is read once', async () => {
    const { post } = await serving(async (request) => {
      const text = await textOf(request);
      const again = await request.text().catch((error: Error) => error.name);
      return [text, request.bodyUsed, again];
    });
    expect(await post('Grüße')).toEqual(['Grüße', true, 'TypeError']);
  });

  it('may be copied before', async () => {
    const { post } = await serving(async (request) => {
      const copy = request.clone();
      return [await textOf(request), await copy.text()];
    });
    expect(await post('a=1')).toEqual(['a=1', 'a=1']);
  });

  it('is capped whether it tells its length or not', async () => {
    const { post } = await serving((request) => textOf(request, 10));
    expect(await post('x'.repeat(10))).toBe('x'.repeat(10));
    expect(await post('x'.repeat(11))).toBe('invalid_request');
    const stream = (length: number) => new Blob(['x'.repeat(length)]).stream();
    expect(await post(stream(10))).toBe('x'.repeat(10));
    expect(await post(stream(11))).toBe('invalid_request');
  });

  it('is refused when it is not UTF-8, and loses its byte order mark', async () => {
    const { post } = await serving((request) => textOf(request));
    expect(await post(new Uint8Array([0x7b, 0xff]))).toBe('invalid_request');
    expect(await post('\ufeffa')).toBe('a');
  });

  it('is none where its method has none', async () => {
    const { port } = await serving(async (request) => [await textOf(request), request.body]);
    const client = httpRequest({ port, method: 'GET', headers: { 'content-length': '3' } });
    const answer = await new Promise<string>((resolve) => {
      client.on('response', (response) => response.setEncoding('utf8').on('data', resolve));
      client.end('a=1');
    });
    expect(JSON.parse(answer)).toEqual(['', null]);
  });
});
