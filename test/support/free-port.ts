import { createServer } from 'node:net';
import { threadId } from 'node:worker_threads';

/** A port of this machine that nobody listens on. */
export function freePort(): Promise<number> {
  return freePorts(1);
}

/** Two ports in a row that nobody listens on. */
export function freePair(): Promise<number> {
  return freePorts(2);
}

/** Two workers must not look at the same ones: each begins where its own fifty are. */
let next = 20_000 + ((process.pid * 7 + threadId) % 200) * 50;

/**
 * The first of `count` ports in a row that nobody listens on; no port is given twice. They are below those that
 * systems hand out by themselves (RFC 6335 §6, Linux from 32768 on), so that nobody is given one of them meanwhile.
 */
export async function freePorts(count: number): Promise<number> {
  let free = 0;
  for (const end = next + 2_000; next < end; ) {
    const port = next;
    next += 1;
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
