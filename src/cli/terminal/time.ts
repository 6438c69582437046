import { describeDuration, describeLeft } from '../../protocol/durations.ts';

/** `2026-11-21 07:35 UTC+01:00`: local, with its offset. Milliseconds since the epoch. `Intl` takes 10 ms to load. */
export function localTime(instant: number): string {
  const date = new Date(instant);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())];
  const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
  return `${day.join('-')} ${time} ${zoneText(-date.getTimezoneOffset())}`;
}

/** @param offset minutes east of UTC */
function zoneText(offset: number): string {
  if (offset === 0) return 'UTC';
  const minutes = Math.abs(offset);
  const hours = twoDigits(Math.floor(minutes / 60));
  return `UTC${offset < 0 ? '-' : '+'}${hours}:${twoDigits(minutes % 60)}`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}

/**
 * When something ends, for people: the time in their zone and the time left, both by the clock that decides, as in
 * JSON.
 */
export function endText(now: number, remaining: number): string {
  const at = localTime(now + remaining);
  if (remaining > 0) return `${at} (in ${describeLeft(remaining)})`;
  return `${at} (expired ${describeDuration(-remaining)} ago)`;
}

/** `07:35:02`, local. */
export function clockTime(instant: number): string {
  return new Date(instant).toTimeString().slice(0, 8);
}

/** The same for programs: RFC 3339 in UTC. */
export function isoTime(instant: number): string {
  return new Date(instant).toISOString();
}

/**
 * An end as programs get it, in every command alike: the instant on the clock of the server that said
 * it, as it is stored, and beside it the whole seconds that are left there now. `null` where it is not
 * known. `expires_at` has `expires_in` beside it, `x_expires` has `x_expires_in`.
 */
export function endJson<Name extends 'expires_at' | `${string}_expires`>(
  name: Name,
  end: number | null | undefined,
  serverNow: number,
): EndJson<Name> {
  const known = end ?? null;
  const json = {
    [name]: isoOrNull(known),
    [name === 'expires_at' ? 'expires_in' : `${name}_in`]:
      known === null ? null : Math.max(0, Math.floor((known - serverNow) / 1000)),
  };
  return json as EndJson<Name>;
}

/** `expires_at` and `expires_in`, or `NAME` and `NAME_in`. */
type EndJson<Name extends string> = Readonly<Record<Name, string | null>> &
  Readonly<Record<Name extends 'expires_at' ? 'expires_in' : `${Name}_in`, number | null>>;

export function isoOrNull(instant: number | null | undefined): string | null {
  return instant === null || instant === undefined ? null : isoTime(instant);
}
