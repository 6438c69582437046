import { createServer, type Server } from 'node:net';

/** A port of this machine that nobody listens on. */
export function freePort(): Promise<number> {
  return freePorts(1);
}

/** Two ports in a row that nobody listens on. */
export function freePair(): Promise<number> {
  return freePorts(2);
}

/**
 * They are below those that systems hand out by themselves (RFC 6335 §6, Linux from 32768 on), so that nobody is given
 * one of them meanwhile.
 */
const FIRST_PORT = 20_000;
const BLOCKS = 200;
/** The first port of a block is listened on for as long as this worker lives: no other takes the rest. */
const BLOCK = 50;

let next = 0;
let end = 0;

/** The first of `count` ports in a row, fewer than fifty, that nobody listens on; no port is given twice. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    if (next + count > end) {
      const block = await takeBlock();
      next = block + 1;
      end = block + BLOCK;
    }
    const first = next;
    next += count;
    const ports = Array.from({ length: count }, (_, at) => first + at);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

/** The first block from the one of this process on that no worker of any process has. */
async function takeBlock(): Promise<number> {
  for (let at = 0; at < BLOCKS; at += 1) {
    const block = FIRST_PORT + ((process.pid + at) % BLOCKS) * BLOCK;
    const held = await listenOn(block);
    held?.unref();
    if (held !== undefined) return block;
  }
  throw new Error('Every block of ports is taken.');
}

async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
  return server !== undefined;
}

/** `undefined` where somebody listens already. */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
