const UNIT = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNIT;

/** Milliseconds of a second. */
export const SECOND = UNIT.s;
/** Milliseconds of a minute. */
export const MINUTE = UNIT.m;
/** Milliseconds of an hour. */
export const HOUR = UNIT.h;
/** Milliseconds of a day. */
export const DAY = UNIT.d;

/** Milliseconds of `90s`, `10m`, `1h30m`, `30d`, `500ms`; `undefined` for anything else, zero included. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g)) {
    total += Number(amount) * UNIT[unit as Unit];
  }
  return total > 0 && Number.isSafeInteger(total) ? total : undefined;
}

/** The same, and 0 for `0s`. */
export function parseDurationOrZero(text: string): number | undefined {
  return /^0+(?:ms|s|m|h|d)$/.test(text) ? 0 : parseDuration(text);
}

/** `9 minutes 30 seconds`: the two largest units, for users. Under one second: `less than a second`. */
export function describeDuration(ms: number): string {
  const names: readonly (readonly [Unit, string])[] = [
    ['d', 'day'],
    ['h', 'hour'],
    ['m', 'minute'],
    ['s', 'second'],
  ];
  let rest = Math.max(0, ms);
  const parts: string[] = [];
  for (const [unit, name] of names) {
    const amount = Math.floor(rest / UNIT[unit]);
    rest -= amount * UNIT[unit];
    if (amount > 0) parts.push(`${amount} ${name}${amount === 1 ? '' : 's'}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? 'less than a second' : parts.join(' ');
}

/**
 * The same of what is left of a time that a server gave. Its `Date` has whole seconds (RFC 9110 §5.6.7), so an hour may
 * seem shorter by up to two as soon as it is read: it is `1 hour`.
 */
export function describeLeft(ms: number): string {
  const whole = Math.ceil(ms / UNIT.m) * UNIT.m;
  const isWhole = whole >= 10 * UNIT.m && whole - ms <= 2 * UNIT.s;
  return describeDuration(isWhole ? whole : ms);
}
