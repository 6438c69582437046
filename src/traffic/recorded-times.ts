import { isJsonObject } from '../protocol/index.ts';
import { INSTANT, isTime } from './times.ts';

/** How a time is written that a transcript has as `{time}`. */
export interface RecordedTime {
  /** The time from the request to it, in seconds; negative for what was before. */
  readonly after: number;
  /** `text`: RFC 3339. Otherwise a number since the epoch, in that unit. */
  readonly as: 'text' | 'seconds' | 'milliseconds';
}

/** Deeper, nobody has a time. */
const MAX_DEPTH = 64;
/** What was less long ago was now, in milliseconds. */
const JUST_NOW = 60_000;
/** A longer list of times is cut: no answer of the procedure has so many. */
const MAX_TIMES = 1_000;

/**
 * The times in a body, by the JSON pointer to each (RFC 6901): a value of its own, not one within a text.
 * @param at when the request came, in milliseconds since the epoch.
 */
export function recordedTimes(body: unknown, at: number): Readonly<Record<string, RecordedTime>> {
  const found: [string, RecordedTime][] = [];
  collect(body, '', 0);
  return Object.fromEntries(found);

  function collect(value: unknown, pointer: string, depth: number): void {
    if (found.length >= MAX_TIMES || depth > MAX_DEPTH) return;
    const time = timeOf(value, at);
    if (time !== undefined) {
      found.push([pointer, time]);
      return;
    }
    if (!Array.isArray(value) && !isJsonObject(value)) return;
    for (const [name, each] of Object.entries(value)) {
      const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
      collect(each, `${pointer}/${step}`, depth + 1);
    }
  }
}

function timeOf(value: unknown, at: number): RecordedTime | undefined {
  if (typeof value === 'string') {
    const isWhole = value.length <= 40 && value.replace(INSTANT, '') === '';
    const ms = isWhole ? Date.parse(value) : Number.NaN;
    return Number.isNaN(ms) ? undefined : { after: steady(ms - at), as: 'text' };
  }
  if (typeof value !== 'number' || !isTime(value)) return undefined;
  return value < 4e9
    ? { after: steady(value * 1_000 - at), as: 'seconds' }
    : { after: steady(value - at), as: 'milliseconds' };
}

/**
 * A time in whole seconds. What a service rounds or takes to answer is no part of the procedure: a lifetime of ten
 * minutes stays one.
 */
function steady(ms: number): number {
  const seconds = Math.round(ms / 1_000);
  const tens = Math.round(ms / 10_000) * 10;
  if (tens > 0 && Math.abs(ms - tens * 1_000) < 1_500) return tens;
  // How long somebody took before is none either.
  return ms < 500 && ms > -JUST_NOW ? 0 : seconds;
}
