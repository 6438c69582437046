import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface Call {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Lower-cased, without parameters. */
  readonly type: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export type Answerer = (call: Call) => Reply | Promise<Reply>;

/** Words of its own behind the status: RFC 9112 §4 lets a client ignore them. */
const PHRASES: Readonly<Record<number, string>> = {
  200: 'Sure',
  202: 'Noted',
  303: 'Over There',
  400: 'Come Again?',
  401: 'Who Goes There',
  403: 'Not You',
  404: '',
  410: 'Was Here Once',
};

const MOST = 64 * 1024;

/** Closes each connection, sends every body in chunks, and zips what may be zipped. */
export async function openServer(
  answererOf: (origin: string) => Promise<Answerer>,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  let answerer: Answerer = () => ({ status: 503 });
  const server = createServer((request, response) => {
    handle(request, response, answerer).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answerer = await answererOf(origin);
  return {
    origin,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answerer: Answerer,
): Promise<void> {
  const reply = await replyTo(request, answerer);
  const zip =
    reply.body !== undefined && /\bgzip\b/.test(String(request.headers['accept-encoding']));
  const body = zip ? gzipSync(reply.body ?? '') : Buffer.from(reply.body ?? '');
  response.shouldKeepAlive = false;
  for (const [name, value] of Object.entries(reply.headers ?? {}))
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  if (zip) response.setHeader('CONTENT-encoding', 'gzip');
  response.setHeader('VARY', 'accept-encoding');
  response.writeHead(reply.status, PHRASES[reply.status] ?? 'Hm');
  if (request.method === 'HEAD') return void response.end();
  for (let at = 0; at < body.length; at += 200) response.write(body.subarray(at, at + 200));
  response.end();
}

async function replyTo(request: IncomingMessage, answerer: Answerer): Promise<Reply> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MOST) chunks.push(chunk);
  }
  if (size > MOST) return { status: 413 };
  const type = String(request.headers['content-type'] ?? '').split(';')[0] ?? '';
  try {
    return await answerer({
      method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
      url: new URL(`http://host${(request.url ?? '/').replace(/^\/+/, '/')}`),
      headers: request.headers,
      body: Buffer.concat(chunks),
      type: type.trim().toLowerCase(),
    });
  } catch (error) {
    if (error instanceof Stop) return error.reply;
    return { status: 500 };
  }
}

/** Thrown to answer at once. */
export class Stop extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`answered ${reply.status}`);
    this.reply = reply;
  }
}

/** As JSON may be written: escaped where nobody has to, numbers with exponents, wide. */
export function oddJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, '\t');
  const escaped = text.replaceAll('/', '\\/').replaceAll('@', '\\u0040');
  return `\n${escaped.replace(/: (\d+)00(?=,?\n)/g, ': $1e2')}\r\n`;
}

export function json(status: number, value: unknown, headers: Reply['headers'] = {}): Reply {
  const type = { 'cONTENT-tYPE': 'application/json ;Charset="UTF-8"' };
  return { status, headers: { ...type, ...headers }, body: oddJson(value) };
}

/** Nobody keeps it: in the spelling that the grammar allows. */
export const UNKEPT = {
  'CACHE-CONTROL': 'private ,No-Store, max-age=0',
  pragma: 'No-Cache',
} as const;
