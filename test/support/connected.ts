import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { type BoundPlace, noteConnection } from '../../src/mock/http/connection.ts';
import { WatchedResponse } from '../../src/mock/http/limited-server.ts';

interface Arrival {
  /** Of the peer. */
  readonly ip?: string;
  /** The value of `Host`. */
  readonly host?: string;
  /** As it stands in the first line of the request. */
  readonly target?: string;
  readonly bound?: BoundPlace;
}

/** A request as if it had come over the wire. */
export function connected(request: Request, { ip, host, target, bound }: Arrival): Request {
  const url = new URL(request.url);
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: ip ?? '127.0.0.1' });
  const incoming = new IncomingMessage(socket);
  incoming.headers.host = host ?? url.host;
  incoming.url = target ?? url.pathname;
  noteConnection(request, {
    bound: bound ?? { host: url.hostname, port: Number(url.port), isTls: false },
    incoming,
    outgoing: new WatchedResponse(incoming),
  });
  return request;
}
