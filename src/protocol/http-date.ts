/** RFC 9110 §5.6.7, in milliseconds; NaN for anything else. `Date.parse` alone takes almost anything, `-5` too. */
export function httpDate(text: string): number {
  return /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}

/** `Retry-After` in milliseconds, from seconds or a date (RFC 9110 §10.2.3); never negative. */
export function retryAfter(headers: Headers, serverNow: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), 1e9) * 1000;
  const date = httpDate(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - serverNow);
}
