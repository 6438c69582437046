import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';

export interface TestProxy {
  readonly port: number;
  /** `host:port` of each CONNECT, with what it sent as `Proxy-Authorization`. */
  readonly seen: { readonly target: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** A real CONNECT proxy that leads every host to one port of this machine, or answers with a status. */
export async function startProxy(to: { port: number } | { status: number }): Promise<TestProxy> {
  const seen: TestProxy['seen'] = [];
  const server = createServer((_request, response) => response.writeHead(405).end());
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, client, head) => {
    seen.push({
      target: request.url ?? '',
      authorization: request.headers['proxy-authorization'],
    });
    client.on('error', () => {});
    if ('status' in to) {
      client.end(`HTTP/1.1 ${to.status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(to.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    sockets.add(target);
    target.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    seen,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
