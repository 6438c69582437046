import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { BAD_PORTS } from '../../protocol/bad-ports.ts';
import type { Log } from '../../runtime/ports.ts';
import type { FetchHandler } from './app.ts';
import { type BoundPlace, noteConnection } from './connection.ts';
import { ConnectionDropped } from './connection-dropped.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { createLimitedServer, type WatchedResponse } from './limited-server.ts';
import { ListenError, type ListenErrorCode } from './listen-error.ts';
import {
  type Connections,
  connectionLimit,
  keepConnections,
  openFileLimit,
} from './serve-connections.ts';

/** Where a server listens, and how. */
export interface ServeOptions {
  /** The host name or the IP address to listen on. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Makes the application once its URL is known. */
  build(origin: string): Promise<FetchHandler>;
  /** Where it tells that it listens, and of connections that it did not take. */
  readonly log: Log;
  /** The answers are somebody else's: they are written as they are. Default: they are the application's own. */
  readonly passesOn?: boolean | undefined;
  /**
   * Replaces the global `Request` and `Response` of this process by those of @hono/node-server, which twice as
   * many can be answered with. For a program that owns its process, and asks nothing whether it is an
   * `instanceof` them. Default: false.
   */
  readonly overrideGlobalObjects?: boolean | undefined;
  /** Serves https. PEM: the certificate, with those between it and its authority, and its key. */
  readonly tls?: TlsFiles | undefined;
  /** The limits for slow peers; tests, which do not wait for them, have other ones. */
  readonly limits?: Partial<ConnectionLimits> | undefined;
}

/** The certificate and the key that a server shows, as PEM. */
export interface TlsFiles {
  /** The certificate and those that it leads to, as PEM. */
  readonly cert: string;
  /** Its private key, as PEM, without a passphrase. */
  readonly key: string;
}

/** A server that listens. */
export interface Served {
  /** `http://HOST:PORT`, or https; with a host that can be requested. */
  readonly origin: string;
  /** The host that it listens on. */
  readonly host: string;
  /** The port that it listens on. */
  readonly port: number;
  /** Ends idle and active connections; resolves when none is left. */
  close(): Promise<void>;
}

const CLOSE_GRACE = 200;
/** User information in a request target (RFC 9110 §4.2.4): what looks like the host is none. */
const USER_INFO = /^[^/?#]+:\/\/[^/?#]*@/;

/**
 * Serves an application on Node. Binds first and builds after, so that port 0 is known to the issuer;
 * requests that arrive in between wait.
 * @throws ListenError when nothing can listen there; the system's error when too few files may be open; whatever `build` throws.
 */
export async function serve({
  host,
  port,
  build,
  log,
  passesOn = false,
  overrideGlobalObjects = false,
  tls,
  limits,
}: ServeOptions): Promise<Served> {
  const isTls = tls !== undefined;
  const server = createLimitedServer(tls, limits);
  const connections = keepConnections(server, limits?.connections ?? connectionLimit(), log);
  await listen(server, host, port);
  goOnWithoutFiles(server, connections, log);
  const bound = { host, port: (server.address() as AddressInfo).port, isTls };
  // As URLs are compared: `LOCALHOST` and `127.1` have another spelling there.
  const { origin } = new URL(`http${isTls ? 's' : ''}://${hostOf(host)}:${bound.port}`);
  // What it throws at once is a rejection, too.
  const built = (async () => build(origin))();
  const answer = answerBy(built, bound, passesOn);
  const listener = getRequestListener(answer, { overrideGlobalObjects, errorHandler: refuse });
  // Nobody can have asked before: the server began to listen in this turn of the event loop.
  server.on('request', withOneHost(listener));
  // Requests that wait for what cannot be built are dropped with their connections.
  await built.catch(() => close(server, connections));
  await built;
  log.info('http.listening', { origin });
  return { origin, host, port: bound.port, close: () => close(server, connections) };
}

/** What the server calls for each request; requests that come while the application is built wait for it. */
function answerBy(
  built: Promise<FetchHandler>,
  bound: BoundPlace,
  passesOn: boolean,
): Parameters<typeof getRequestListener>[0] {
  let app: FetchHandler | undefined;
  built.then(
    (handler) => {
      app = handler;
    },
    () => {},
  );
  return async (request, bindings) => {
    // The server speaks no HTTP/2.
    const incoming = bindings.incoming as IncomingMessage;
    const outgoing = bindings.outgoing as WatchedResponse;
    noteConnection(request, { bound, incoming, outgoing });
    try {
      const response = await (app ?? (await built))(request);
      if (!passesOn) return response;
      await writePassedOn(response, outgoing);
      return RESPONSE_ALREADY_SENT;
    } catch (error) {
      if (error instanceof ConnectionDropped) outgoing.drop();
      throw error;
    }
  };
}

/** A request names one host (RFC 9112 §3.2): of several, each reader on the way could believe another. */
function withOneHost(listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    let hosts = 0;
    for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
      if (incoming.rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
    }
    if (hosts === 1 && !USER_INFO.test(incoming.url ?? '')) return listener(incoming, outgoing);
    outgoing.writeHead(400, { 'content-type': 'text/plain', connection: 'close' });
    outgoing.end('A request has exactly one Host field, and its target names no user.\n');
  };
}

/** What no application sees: a URL or a Host that cannot be read, or an application that was never built. */
function refuse(error: unknown): Response {
  return error instanceof RequestError
    ? new Response(null, { status: 400 })
    : new Response(null, { status: 503, headers: { 'retry-after': '1' } });
}

/** A connection that cannot be accepted, because the process has too many files open, ends nothing else. */
function goOnWithoutFiles(server: Server, connections: Connections, log: Log): void {
  let isSaid = false;
  server.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    connections.makeRoom();
    const advice = { limit: openFileLimit(), advice: 'Allow more open files: ulimit -n 1024.' };
    if (!isSaid) log.warn('http.not_accepted', { code, ...(code === 'EMFILE' && advice) });
    isSaid = true;
  });
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  // Node would listen there, and its own fetch not reach it.
  if (BAD_PORTS.has(port)) throw new ListenError('bad_port', host, port);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const code = CODES[error.code ?? ''] ?? 'unavailable';
      // With too few files it is not the address that is wrong.
      const isOther = error.code === 'EMFILE';
      reject(isOther ? error : new ListenError(code, host, port, { cause: error }));
    });
    server.listen({ host, port, exclusive: true }, resolve);
  });
}

const CODES: Readonly<Record<string, ListenErrorCode>> = { EADDRINUSE: 'in_use', EACCES: 'denied' };

/** Answers under way get a moment to finish; then every connection ends, also in a TLS handshake. */
function close(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
      connections.destroy();
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

/**
 * Writes an answer that is somebody else's: nothing is added, its body goes on as it comes and as fast as it is
 * read, and where that breaks off the connection does. Never rejects.
 */
async function writePassedOn(response: Response, outgoing: ServerResponse): Promise<void> {
  const { body, headers, status, statusText } = response;
  // One that came several times is several pairs (RFC 6265 §3).
  outgoing.writeHead(status, statusText, [...headers].flat());
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(body as ReadableStream), outgoing).catch(() => {});
}
