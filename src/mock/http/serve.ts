import { createServer, type Server } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Log } from '../../runtime/index.ts';
import type { FetchHandler } from './app.ts';
import { ListenError, type ListenErrorCode } from './listen-error.ts';
import { recordRemoteAddress } from './remote-address.ts';

export interface ServeOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Makes the application once its address is known. */
  build(origin: string): Promise<FetchHandler>;
  readonly log: Log;
}

export interface Served {
  /** `http://HOST:PORT`, with a host that can be requested. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** Ends idle and active connections; resolves when none is left. */
  close(): Promise<void>;
}

// Against a peer that sends or reads a byte now and then (A-35). Milliseconds.
const LIMITS = { headers: 10_000, request: 30_000, idle: 60_000, keepAlive: 5_000, check: 2_000 };
const MAX_CONNECTIONS = 1_000;
const CLOSE_GRACE = 200;

/**
 * Serves an application on Node. Binds first and builds after, so that port 0 is known to the issuer;
 * requests that arrive in between wait.
 * @throws ListenError when the address cannot be had; whatever `build` throws.
 */
export async function serve({ host, port, build, log }: ServeOptions): Promise<Served> {
  const { promise: built, resolve, reject } = deferred<FetchHandler>();
  // The caller hears of a failed build; requests that waited for it are dropped with their connections.
  built.catch(() => {});
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const handler = await built;
      recordRemoteAddress(request, incoming.socket.remoteAddress ?? 'unknown');
      return handler(request);
    },
    // Replacing the global Request and Response is not a library's business.
    { overrideGlobalObjects: false, errorHandler: refuse },
  );
  const server = createServer(
    {
      headersTimeout: LIMITS.headers,
      requestTimeout: LIMITS.request,
      keepAliveTimeout: LIMITS.keepAlive,
      connectionsCheckingInterval: LIMITS.check,
    },
    listener,
  );
  server.setTimeout(LIMITS.idle, (socket) => socket.destroy());
  server.maxConnections = MAX_CONNECTIONS;

  await listen(server, host, port);
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  const origin = originOf(host, bound);
  try {
    resolve(await build(origin));
  } catch (error) {
    reject(error);
    await close(server);
    throw error;
  }
  log.info('http.listening', { origin });
  return { origin, host, port: bound, close: () => close(server) };
}

/** What no application sees: an address or a Host that is none, or an application that was never built. */
function refuse(error: unknown): Response {
  return error instanceof RequestError
    ? new Response(null, { status: 400 })
    : new Response(null, { status: 503, headers: { 'retry-after': '1' } });
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

/** Answers under way get a moment to finish; then every connection ends. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A wildcard address is reached through loopback. */
function originOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
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
