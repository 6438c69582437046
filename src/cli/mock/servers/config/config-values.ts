import { z } from 'zod';
import { parseDuration } from '../../../../protocol/durations.ts';
import { normalizeEmail } from '../../../../protocol/email.ts';
import { isPhoneNumber } from '../../../../protocol/phone.ts';
import { urlProblem } from '../../../../protocol/urls.ts';
import { nearest } from '../../../shell/nearest.ts';

/** The kinds of value in a configuration file. The error of each states what it expects. */

export function text(expected = 'a text', fits: (value: string) => boolean = () => true) {
  const error = `expected ${expected}`;
  return z.string({ error }).min(1, { error }).refine(fits, { error, abort: true });
}

export const flag = () => z.boolean({ error: 'expected true or false' });

export const port = () => {
  const error = 'expected a port, a number from 0 to 65535';
  return z.int({ error }).min(0, { error }).max(65_535, { error });
};

export const url = () =>
  text(
    'a URL, https or on this machine, like https://provider.example',
    (value) => urlProblem(value) === undefined,
  );

export const origin = () =>
  text(
    'a URL without a path, like http://127.0.0.1:4800',
    (value) => URL.canParse(value) && new URL(value).origin === value.replace(/\/$/, ''),
  );

export const email = () => text('an email address', (value) => normalizeEmail(value) !== undefined);

export const phone = () => text('a phone number like +15551234567', isPhoneNumber);

export const duration = () =>
  text('a duration like 90s, 10m or 1h30m', (value) => parseDuration(value) !== undefined);

export const label = () =>
  text('letters, digits and dashes', (value) => /^[a-z0-9][a-z0-9-]{0,30}$/i.test(value));

/** One of some names; the error for another one suggests the nearest. */
export function name<T extends string>(what: string, known: readonly T[]) {
  return z.custom<T>((value) => known.some((each) => each === value), {
    error: ({ input }) => {
      if (typeof input !== 'string') return `expected a ${what}; ${listed(known)}`;
      const near = nearest(input, known);
      const shown = JSON.stringify(input.slice(0, 60));
      return near === undefined
        ? `there is no ${what} ${shown}; ${listed(known)}`
        : `there is no ${what} ${shown}; did you mean ${near}?`;
    },
  });
}

export function list<T extends z.ZodType>(of: T) {
  return z.array(of, { error: 'expected a list' });
}

/** Keys and their values; all may be left out but those in `required`. */
export function map<S extends Readonly<Record<string, z.ZodType>>>(shape: S) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return 'expected keys and values';
      return `known keys: ${Object.keys(shape).join(', ')}`;
    },
  });
}

/** A map, or the text that stands for a map with nothing but this key. */
export function orText<T extends z.ZodType>(key: string, of: T) {
  return z.preprocess((value) => (typeof value === 'string' ? { [key]: value } : value), of);
}

/** The first names of a long list. */
function listed(known: readonly string[]): string {
  const shown = known.slice(0, 12).join(', ');
  return known.length > 12 ? `known: ${shown}, … (${known.length})` : `known: ${shown}`;
}
