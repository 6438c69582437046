import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  bodyReader,
  type FetchHandler,
  incomingOf,
  ServedRequest,
  serve,
  type WireProblem,
  wholeRequest,
} from '../../../src/mock/index.ts';
import { silentLog } from '../../../src/runtime/index.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

/** What `look` makes of a request that came over the wire, and what of it was read. */
async function serving(look: (request: ServedRequest, given: Request) => Promise<unknown>) {
  const seen: ServedRequest[] = [];
  const handler: FetchHandler = async (given) => {
    const incoming = incomingOf(given);
    if (incoming === undefined) throw new Error('It did not come over the wire.');
    const request = new ServedRequest(given, incoming, () => new Request(given.url, copyOf(given)));
    seen.push(request);
    return Response.json(await look(request, given));
  };
  const served = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async () => handler,
  });
  open.push(served);
  const post = async (body: string | Uint8Array<ArrayBuffer> | ReadableStream) =>
    (await fetch(served.origin, { method: 'POST', body, duplex: 'half' } as RequestInit)).json();
  return { ...served, post, seen };
}

function copyOf({ body, headers, method }: Request): RequestInit {
  return { body, headers, method, duplex: 'half' } as RequestInit;
}

const textOf = (request: Request, limit = 100) =>
  bodyReader.text(request, limit).catch((problem: WireProblem) => problem.code);

describe('a request over the wire', () => {
  it('has its body read once, without a stream', async () => {
    const { post, seen } = await serving(async (request) => {
      const text = await textOf(request);
      const again = await request.text().catch((error: Error) => error.name);
      return [text, request.isWhole, request.bodyUsed, again];
    });
    expect(await post('Grüße')).toEqual(['Grüße', true, true, 'TypeError']);
    expect(seen[0]?.read).toEqual({ content: 'Grüße', isWhole: true });
  });

  it('may be copied, looked at and read as any other', async () => {
    const { post, seen } = await serving(async (request) => {
      const copy = request.clone();
      const text = await textOf(request);
      return [text, await copy.text(), request.bodyUsed, request instanceof Request];
    });
    expect(await post('a=1')).toEqual(['a=1', 'a=1', true, true]);
    expect(seen[0]?.read).toBeUndefined();
  });

  it('may stand for another one', async () => {
    const { post } = await serving(async (request) => {
      const whole = wholeRequest(request);
      const copy = new Request(whole, { headers: { 'x-a': 'b' } });
      return [copy.method, await copy.text(), copy.headers.get('x-a'), whole === request.whole()];
    });
    expect(await post('a=1')).toEqual(['POST', 'a=1', 'b', true]);
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
    const { post, seen } = await serving((request) => textOf(request));
    expect(await post(new Uint8Array([0x7b, 0xff]))).toBe('invalid_request');
    expect(seen[0]?.read?.content).toEqual(Buffer.from([0x7b, 0xff]));
    expect(await post('\ufeffa')).toBe('a');
  });

  it('has no body where its method has none', async () => {
    const { port } = await serving(async (request) => [await textOf(request), request.body]);
    const client = httpRequest({ port, method: 'GET', headers: { 'content-length': '3' } });
    const answer = await new Promise<string>((resolve) => {
      client.on('response', (response) => response.setEncoding('utf8').on('data', resolve));
      client.end('a=1');
    });
    expect(JSON.parse(answer)).toEqual(['', null]);
  });

  it('tells what came of a body that broke off', async () => {
    let done: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      done = resolve;
    });
    const { port, seen } = await serving(async (request) => {
      const text = await textOf(request);
      done();
      return text;
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    setImmediate(() => socket.end());
    await answered;
    expect(seen[0]?.read).toMatchObject({ isWhole: false });
  });
});
