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

/** Two ports in a row that nobody listens on. */
export function freePair(): Promise<number> {
  return freePorts(2);
}

/**
 * The first of `count` ports in a row that nobody listens on. They are below those that systems hand out by
 * themselves (RFC 6335 §6, Linux from 32768 on), so that nobody is given one of them meanwhile.
 */
export async function freePorts(count: number): Promise<number> {
  // Two workers of one process must not look at the same ones.
  const first = 20_000 + ((process.pid * 7 + threadId) % 1_000) * 10;
  let free = 0;
  for (let port = first; port < first + 2_000; port += 1) {
    free = (await isFree(port)) ? free + 1 : 0;
    if (free === count) return port - count + 1;
  }
  throw new Error(`There are no ${count} free ports in a row.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
