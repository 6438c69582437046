import type { Clock, Fetch, Log, Random, Sleep } from './ports.ts';
import { randomInBlocks } from './random-in-blocks.ts';

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** The most that `getRandomValues` fills at once, in bytes. */
const RANDOM_QUOTA = 65_536;

/** From the global `crypto`: all of node:crypto would be loaded by each start of the program. */
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
