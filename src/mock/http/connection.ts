import type { IncomingMessage } from 'node:http';
import type { WatchedResponse } from './limited-server.ts';

/** Where a connection was accepted. */
export interface BoundPlace {
  /** The host as it was told to listen: a name, an IP address, a wildcard. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** What a request of the Node server came by, and leaves by. */
export interface Connection {
  readonly bound: BoundPlace;
  readonly incoming: IncomingMessage;
  readonly outgoing: WatchedResponse;
}

/** Nobody else's member: cheaper than a `WeakMap`, for each request. */
const CONNECTION = Symbol('connection');

interface Noted {
  [CONNECTION]?: Connection;
}

/** Notes what a request came by; the Node server does it, before any handler runs. */
export function noteConnection(request: Request & Noted, connection: Connection): void {
  request[CONNECTION] = connection;
}

/** `undefined` of a request that somebody in this process made. */
export function connectionOf(request: Request & Noted): Connection | undefined {
  return request[CONNECTION];
}

/** The peer's IP address; `undefined` without a connection. Never from a header. */
export function remoteIp(request: Request): string | undefined {
  const connection = connectionOf(request);
  return connection && (connection.incoming.socket.remoteAddress ?? 'unknown');
}
