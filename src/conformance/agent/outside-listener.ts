import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where the connections arrive that were meant for other machines. */
export interface OutsideListener {
  /** `http://127.0.0.1:PORT`: a proxy, and whatever else a connection is led to. */
  readonly origin: string;
  readonly port: number;
  /** The hosts that a TLS connection was begun to, or asked for of a proxy. */
  readonly secure: readonly string[];
  close(): Promise<void>;
}

/** The first byte of a TLS record with a handshake (RFC 8446 §5.1). */
const HANDSHAKE = 0x16;
const CONNECT = /^CONNECT +(\S+) /i;

/**
 * Listens on loopback. Plain http goes to the server at `inner`; of TLS and of CONNECT (RFC 9110 §9.3.6) only
 * the host is noted, since nobody here has its certificate.
 */
export async function listenForOutside(inner: string): Promise<OutsideListener> {
  const secure: string[] = [];
  const open = new Set<Socket>();
  const target = new URL(inner);
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      const host = secureHost(first);
      if (host !== undefined) {
        secure.push(host);
        socket.end(first[0] === HANDSHAKE ? '' : 'HTTP/1.1 502 Bad Gateway\r\n\r\n');
        return;
      }
      const onward = connect(Number(target.port), target.hostname);
      onward.on('error', () => socket.destroy());
      onward.once('close', () => socket.destroy());
      socket.once('close', () => onward.destroy());
      onward.write(first);
      socket.pipe(onward).pipe(socket);
    });
  });
  const port = await listen(server);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  return { origin: `http://127.0.0.1:${port}`, port, secure, close };
}

/** The host of a connection that is to be secure, from its first bytes; undefined for plain http. */
function secureHost(first: Buffer): string | undefined {
  const text = first.toString('latin1');
  if (first[0] !== HANDSHAKE) return CONNECT.exec(text)?.[1];
  // The name is in the server_name extension as it is (RFC 6066 §3); a random byte may look like one.
  return text.match(/[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi)?.join(' ') ?? 'a host without a name';
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
}

/** Every host that the suite invents is below it; no DNS has it (RFC 6761 §6.4). */
const INVENTED = '.invalid';

/**
 * A script that Node loads before an agent's own: connections to hosts that the suite invented arrive at `port` of
 * this machine. Without it, `fetch` of Node would ask DNS, and nobody would see what the agent wanted there.
 */
export function leadInventedHosts(port: number): string {
  return `'use strict';
const { Socket } = require('node:net');
const { connect } = Socket.prototype;
const isInvented = (host) => typeof host === 'string' && host.replace(/\\.$/, '').toLowerCase().endsWith('${INVENTED}');
const led = (options) => ({ ...options, host: '127.0.0.1', port: ${port}, lookup: undefined });
Socket.prototype.connect = function (...args) {
  const [first, second] = args;
  if (Array.isArray(first) && isInvented(first[0]?.host)) first[0] = led(first[0]);
  else if (typeof first === 'object' && isInvented(first?.host)) args[0] = led(first);
  else if (typeof first === 'number' && isInvented(second)) args.splice(0, 2, led({}));
  return connect.apply(this, args);
};
`;
}

/** `NODE_OPTIONS` with the script, after those that the user has set. */
export function nodeOptions(script: string, own: string | undefined): string {
  const path = script.replace(/["\\]/g, '\\$&');
  return [own, `--require="${path}"`].filter(Boolean).join(' ');
}
