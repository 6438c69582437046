import { httpDate } from '../../protocol/index.ts';

/** Below this a difference is rounding and travel time: `Date` counts whole seconds. */
const NOISE = 2000;

/**
 * The server's clock minus ours, in milliseconds, from `Date` (and `Age`, when a cache answered);
 * `undefined` without a readable `Date`.
 */
export function clockOffset(headers: Headers, localNow: number): number | undefined {
  const time = serverTime(headers);
  if (time === undefined) return undefined;
  const offset = time - localNow;
  return isNoise(offset) ? 0 : offset;
}

/** Whether a difference of two clocks is no more than rounding and travel time. */
export function isNoise(difference: number): boolean {
  return Math.abs(difference) <= NOISE;
}

/** When an answer was sent, by the server's clock alone; `undefined` without a readable `Date`. */
export function serverTime(headers: Headers): number | undefined {
  const date = httpDate(headers.get('date') ?? '');
  if (Number.isNaN(date)) return undefined;
  const age = /^\d{1,9}$/.test(headers.get('age') ?? '') ? Number(headers.get('age')) * 1000 : 0;
  return date + age;
}
