import { connect, createServer, type Socket } from 'node:net';
import { serve } from '../../../src/mock-service/index.ts';
import { listening } from './listening.ts';

/** A proxy that goes by the first of two lengths, and passes on what is left as the next request. */
export const serveBehindBrokenProxy: typeof serve = async (options) => {
  const sockets = new Set<Socket>();
  let behind = 0;
  const proxy = createServer((caller) => {
    const server = connect(behind, '127.0.0.1');
    for (const socket of [caller, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    caller.on('data', (chunk) => server.write(withFirstLength(chunk)));
    caller.on('end', () => server.end());
    server.pipe(caller);
  });
  const before = await listening(proxy, { host: '127.0.0.1', port: 0 });
  const served = await serve({ ...options, build: () => options.build(before.origin) });
  behind = served.port;
  return {
    ...before,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await before.close();
      await served.close();
    },
  };
};

function withFirstLength(chunk: Buffer): Buffer {
  const text = chunk
    .toString('latin1')
    .replace(/^(Content-Length: \d+)\r\nContent-Length: \d+/m, '$1')
    .replace(/^(Content-Length: \d+), \d+/m, '$1');
  return Buffer.from(text, 'latin1');
}
