import { InvalidArgumentError } from 'commander';
import { parseDuration, parseDurationOrZero } from '../../protocol/durations.ts';
import { normalizeEmail } from '../../protocol/email.ts';
import { HOST_NAME, isHostName } from '../../protocol/host-name.ts';
import { isHttpOrigin, urlProblem, withoutFinalSlash } from '../../protocol/urls.ts';

/** Milliseconds of `60s`, `10m`. */
export function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  const isZero = /^(?:0+(?:ms|s|m|h|d))+$/.test(text);
  throw new InvalidArgumentError(
    isZero
      ? 'It has to be longer than zero, such as 90s or 10m.'
      : 'Use a duration such as 90s, 10m or 1h30m.',
  );
}

/** The same, and `0s` for none. */
export function durationOrZero(text: string): number {
  return parseDurationOrZero(text) ?? duration(text);
}

/** A TCP port; 0 takes any free one. */
export function port(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535) {
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  }
  return value;
}

/** A whole number from 0 to `most`. */
export function count(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value <= most) return value;
    throw new InvalidArgumentError(`Use a whole number from 0 to ${most}.`);
  };
}

/** A text that is one of some kind. @param kind what to use, for the user. */
export function fitting(kind: string, fits: (text: string) => boolean): (text: string) => string {
  return (text) => {
    if (fits(text)) return text;
    throw new InvalidArgumentError(`Use ${kind}.`);
  };
}

/** The URL of a server without a path. */
export const origin = fitting('a URL without a path, such as http://127.0.0.1:4800', (text) =>
  isHttpOrigin(withoutFinalSlash(text)),
);

/** https, or plain http on this machine. */
export const fullUrl = fitting(
  'a full URL, https or on this machine',
  (text) => urlProblem(text) === undefined,
);

export const hostName = fitting(HOST_NAME, isHostName);

/** Reads one of some names, and refuses another as commander does with its choices. */
export function oneOf<Name extends string>(names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const name = names.find((each) => each === text);
    if (name !== undefined) return name;
    throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
  };
}

export function email(text: string): string {
  const normalized = normalizeEmail(text);
  if (normalized === undefined) throw new InvalidArgumentError('Use an email address.');
  return normalized;
}

/** Reads an option that can be given several times. */
export function repeated<Value>(read: (text: string) => Value) {
  return (text: string, previous: readonly Value[] = []): readonly Value[] => [
    ...previous,
    read(text),
  ];
}

export const collect = repeated((text) => text);

/** Milliseconds: the interval of a poll, and what caches of keys usually take, are waited for. */
export const DEFAULT_PATIENCE = 30_000;
