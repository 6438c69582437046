import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that hands over each request as its bytes came, and answers with bytes. */
export interface RawServer {
  readonly origin: string;
  /** What came, a request each, with the host's port taken out. */
  readonly requests: string[];
  /** How many connections ended, by either side. */
  ended: number;
  close(): void;
}

/** @param answer writes on the connection of a request, once its head and its body of a known length are there. */
export async function startRawServer(
  answer: (socket: Socket, request: string) => void,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let come = '';
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      raw.ended += 1;
    });
    socket.on('data', (bytes) => {
      come += bytes.toString('latin1');
      const [head = '', body] = come.split('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      const request = come.replace(/127\.0\.0\.1:\d+/, 'HOST');
      come = '';
      raw.requests.push(request);
      answer(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const raw: RawServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    ended: 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return raw;
}
