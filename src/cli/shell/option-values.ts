import { InvalidArgumentError, Option } from 'commander';
import { IDENTITY_TYPES, type IdentityType } from '../../protocol/constants.ts';
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

/** `--timeout` of a command that does all that it can within it. */
export function timeoutOption(): Option {
  return new Option('--timeout <duration>', 'give up after this time, with exit 7').argParser(
    duration,
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

/** The URL of a server without a path. */
export function origin(text: string): string {
  if (isHttpOrigin(withoutFinalSlash(text))) return text;
  throw new InvalidArgumentError('Use a URL without a path, such as http://127.0.0.1:4800.');
}

/** https, or plain http on this machine. */
export function fullUrl(text: string): string {
  if (urlProblem(text) === undefined) return text;
  throw new InvalidArgumentError('Use a full URL, https or on this machine.');
}

export function hostName(text: string): string {
  if (isHostName(text)) return text;
  throw new InvalidArgumentError(`Use ${HOST_NAME}.`);
}

export function email(text: string): string {
  const normalized = normalizeEmail(text);
  if (normalized === undefined) throw new InvalidArgumentError('Use an email address.');
  return normalized;
}

/** For an option that can be given several times. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

export function collectIdentityTypes(
  value: string,
  previous: readonly IdentityType[] = [],
): readonly IdentityType[] {
  const type = IDENTITY_TYPES.find((each) => each === value);
  if (type === undefined) {
    throw new InvalidArgumentError(`Allowed choices are ${IDENTITY_TYPES.join(', ')}.`);
  }
  return [...previous, type];
}

/** Milliseconds: the interval of a poll, and what caches of keys usually take, are waited for. */
export const DEFAULT_PATIENCE = 30_000;
