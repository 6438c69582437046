import type { Clock, Fetch, Log, Random, Sleep } from './ports.ts';

/** The bytes of a block. A call into the system's source takes longer than the bytes of a whole block. */
const BLOCK = 4096;

/**
 * Random bytes that are taken from a source in blocks: each is handed out once, and kept no longer. Every
 * process and every worker thread has blocks of its own, because each loads its own modules.
 * @param fill fills an array with bytes that were never handed out.
 */
export function randomInBlocks(fill: (bytes: Uint8Array<ArrayBuffer>) => unknown): Random {
  const block = new Uint8Array(BLOCK);
  let next = BLOCK;
  return {
    bytes: (length) => {
      if (length > BLOCK) {
        const bytes = new Uint8Array(length);
        fill(bytes);
        return bytes;
      }
      if (next + length > BLOCK) {
        fill(block);
        next = 0;
      }
      const bytes = block.slice(next, next + length);
      block.fill(0, next, next + length);
      next += length;
      return bytes;
    },
  };
}

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** The most that `getRandomValues` fills at once, in bytes. */
const RANDOM_QUOTA = 65_536;

/** Random bytes from the global `crypto`: all of node:crypto would be loaded by each start of the program. */
export const systemRandom: Random = randomInBlocks((bytes) => {
  for (let from = 0; from < bytes.length; from += RANDOM_QUOTA) {
    crypto.getRandomValues(bytes.subarray(from, from + RANDOM_QUOTA));
  }
});

/**
 * The global `fetch`, looked up at each call: what a test puts in its place (MSW, a stub) is seen, whenever
 * that happens. It has no time limit of its own; see `limitFetch`.
 */
export const systemFetch: Fetch = (url, init) => globalThis.fetch(url, init);

/** Waits with the timers of this machine. */
export const systemSleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** Logs nothing. */
export const silentLog: Log = {
  debugs: false,
  debug: () => {},
  info: () => {},
  warn: () => {},
};
