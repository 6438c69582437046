import { httpDate } from '../../protocol/index.ts';

/** Below this a difference is rounding and travel time: `Date` counts whole seconds. */
const NOISE = 2000;

/**
 * The server's clock minus ours, in milliseconds, from `Date` (and `Age`, when a cache answered);
 * `undefined` without a readable `Date`.
 */
export function clockOffset(headers: Headers, localNow: number): number | undefined {
  const date = httpDate(headers.get('date') ?? '');
  if (Number.isNaN(date)) return undefined;
  const age = /^\d{1,9}$/.test(headers.get('age') ?? '') ? Number(headers.get('age')) * 1000 : 0;
  const offset = date + age - localNow;
  return Math.abs(offset) <= NOISE ? 0 : offset;
}
