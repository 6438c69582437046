/** A date and time of RFC 3339. */
export const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

/** Whether a number is seconds or milliseconds since the epoch, from 2001 to 2096. */
export function isTime(value: number): boolean {
  return (value > 1e9 && value < 4e9) || (value > 1e12 && value < 4e12);
}
