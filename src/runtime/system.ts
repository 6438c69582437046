import { randomBytes } from 'node:crypto';
import type { Clock, Log, Random, Sleep } from './ports.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const systemRandom: Random = { bytes: (length) => randomBytes(length) };

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

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {} };
