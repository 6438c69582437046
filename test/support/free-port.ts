import { createServer } from 'node:net';
import { threadId } from 'node:worker_threads';

/** A port of this machine that nobody listens on, for now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Two ports in a row that nobody listens on. They are below those that systems hand out by themselves
 * (RFC 6335 §6, Linux from 32768 on), so that nobody is given one of them meanwhile.
 */
export async function freePair(): Promise<number> {
  // Two workers of one process must not look at the same ones.
  const first = 20_000 + ((process.pid * 7 + threadId) % 1_000) * 10;
  for (let port = first; port < first + 2_000; port += 2) {
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error('There are no two free ports in a row.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
