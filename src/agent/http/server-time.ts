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

/** `Retry-After` in milliseconds, from seconds or a date (RFC 9110 §10.2.3); never negative. */
export function retryAfter(headers: Headers, serverNow: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), 1e9) * 1000;
  const date = httpDate(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - serverNow);
}

/** RFC 9110 §5.6.7. `Date.parse` alone takes almost anything for a date, `-5` too. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}
