import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Log } from '../../runtime/index.ts';
import type { FetchHandler } from './app.ts';
import { ConnectionDropped } from './connection-dropped.ts';
import { ListenError, type ListenErrorCode } from './listen-error.ts';
import { recordRemoteIp } from './remote-ip.ts';

export interface ServeOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Makes the application once its URL is known. */
  build(origin: string): Promise<FetchHandler>;
  readonly log: Log;
  /** Serves https. PEM: the certificate, with those between it and its authority, and its key. */
  readonly tls?: TlsFiles | undefined;
  /** Other limits for slow peers; for tests, which do not wait for them. */
  readonly limits?: Partial<ConnectionLimits> | undefined;
}

/** Against a peer that sends or reads a byte now and then. Milliseconds. */
interface ConnectionLimits {
  readonly headers: number;
  readonly request: number;
  readonly idle: number;
  readonly keepAlive: number;
  /** How often the first two are looked at. */
  readonly check: number;
}

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface Served {
  /** `http://HOST:PORT`, or https; with a host that can be requested. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** Ends idle and active connections; resolves when none is left. */
  close(): Promise<void>;
}

const LIMITS: ConnectionLimits = {
  headers: 10_000,
  request: 30_000,
  idle: 60_000,
  keepAlive: 5_000,
  check: 2_000,
};
const MAX_CONNECTIONS = 1_000;
const CLOSE_GRACE = 200;

type Socket = IncomingMessage['socket'];

/**
 * Serves an application on Node. Binds first and builds after, so that port 0 is known to the issuer;
 * requests that arrive in between wait.
 * @throws ListenError when nothing can listen there; whatever `build` throws.
 */
export async function serve({
  host,
  port,
  build,
  log,
  tls,
  limits,
}: ServeOptions): Promise<Served> {
  const { promise: built, resolve, reject } = deferred<FetchHandler>();
  // The caller hears of a failed build; requests that waited for it are dropped with their connections.
  built.catch(() => {});
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const handler = await built;
      recordRemoteIp(request, incoming.socket.remoteAddress ?? 'unknown');
      try {
        return await handler(request);
      } catch (error) {
        if (error instanceof ConnectionDropped) incoming.socket.destroy();
        throw error;
      }
    },
    // Replacing the global Request and Response is not a library's business.
    { overrideGlobalObjects: false, errorHandler: refuse },
  );
  const server = createLimitedServer(listener, tls, { ...LIMITS, ...limits });
  const sockets = openSockets(server);
  await listen(server, host, port);
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  const origin = `${tls === undefined ? 'http' : 'https'}://${hostOf(host)}:${bound}`;
  try {
    resolve(await build(origin));
  } catch (error) {
    reject(error);
    await close(server, sockets);
    throw error;
  }
  log.info('http.listening', { origin });
  return { origin, host, port: bound, close: () => close(server, sockets) };
}

function createLimitedServer(
  listener: RequestListener,
  tls: TlsFiles | undefined,
  { headers, request, idle, keepAlive, check }: ConnectionLimits,
): Server {
  const limits = {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: check,
  };
  const server =
    tls === undefined
      ? createServer(limits, listener)
      : createTlsServer(
          { ...limits, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: headers },
          listener,
        );
  server.setTimeout(idle, (socket) => socket.destroy());
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** What no application sees: a URL or a Host that cannot be read, or an application that was never built. */
function refuse(error: unknown): Response {
  return error instanceof RequestError
    ? new Response(null, { status: 400 })
    : new Response(null, { status: 503, headers: { 'retry-after': '1' } });
}

function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      reject(
        new ListenError(CODES[error.code ?? ''] ?? 'unavailable', host, port, { cause: error }),
      );
    });
    server.listen({ host, port, exclusive: true }, resolve);
  });
}

const CODES: Readonly<Record<string, ListenErrorCode>> = { EADDRINUSE: 'in_use', EACCES: 'denied' };

/** Answers under way get a moment to finish; then every connection ends, also in a TLS handshake. */
function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    }, CLOSE_GRACE);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A wildcard IP address is reached through loopback. */
function hostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}
