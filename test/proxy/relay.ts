import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from 'node:net';
import { serve } from '../../src/mock/http/serve.ts';
import { createProxy, type ProxyOptions } from '../../src/proxy/index.ts';
import { MemoryLog, systemClock, systemRandom, systemSleep } from '../../src/runtime/index.ts';
import { createSystemForward } from '../../src/runtime/system-forward.ts';
import { ExchangeLog } from '../../src/traffic/index.ts';

const closing: (() => Promise<void>)[] = [];

/** Ends what the tests of a file have opened. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

const at = (server: { address(): unknown }) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A server on a free port; resolves to its URL. */
export async function httpServer(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return at(server);
}

/** One that does with a connection what it likes, once a request has begun. */
export async function rawServer(onRequest: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => onRequest(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return at(server);
}

export interface Relay {
  readonly url: string;
  readonly exchanges: ExchangeLog;
  readonly log: MemoryLog;
}

/** A proxy on free ports, as the program starts it. */
export async function relayTo(
  to: string,
  options: Partial<ProxyOptions> & { readonly timeout?: number } = {},
): Promise<Relay> {
  const log = new MemoryLog();
  const exchanges = new ExchangeLog();
  const { timeout = 30_000 } = options;
  const proxy = await createProxy({
    to,
    host: '127.0.0.1',
    listen: (build) => serve({ host: '127.0.0.1', port: 0, build, log, passesOn: true }),
    exchanges,
    forward: createSystemForward({ timeout, proxyFor: () => undefined }),
    clock: systemClock,
    sleep: systemSleep,
    random: systemRandom,
    log,
    ...options,
  });
  closing.push(() => proxy.close());
  return { url: proxy.local(to) ?? '', exchanges, log };
}

/** Sends bytes as they are; resolves to all that came back until the connection closed. */
export function sendRaw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
