import { DAY } from '../../protocol/durations.ts';
import { wrongOption } from './wrong-option.ts';

/** A tolerance, and a time in which something can be had again: there may be none. */
const MAY_BE_ZERO: ReadonlySet<string> = new Set(['clockSkew', 'redelivery']);

/** The longest lifetime: with a moved clock still well within the range of dates (ECMA-262 §21.4.1.1). */
const LONGEST = 50 * 365 * DAY;

/** Whether the lifetime of this name can be that long: whole milliseconds, up to 50 years. */
export function isLifetime(name: string, ms: unknown): ms is number {
  if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms > LONGEST) return false;
  return ms > 0 || (ms === 0 && MAY_BE_ZERO.has(name));
}

/**
 * The defaults, with the lifetimes that are given in their place.
 * @throws TypeError for a name that the defaults do not have, or a value that is no lifetime.
 */
export function resolveLifetimes<T extends object>(defaults: T, given: Partial<T> = {}): T {
  const set = Object.entries(given).filter(([, ms]) => ms !== undefined);
  for (const [name, ms] of set) {
    if (!Object.hasOwn(defaults, name)) {
      const names = Object.keys(defaults).join(', ');
      throw wrongOption('lifetimes', name, `Names: ${names}.`);
    }
    if (!isLifetime(name, ms)) {
      throw wrongOption(`lifetimes.${name}`, ms, 'Use whole milliseconds, up to 50 years.');
    }
  }
  return { ...defaults, ...Object.fromEntries(set) };
}
