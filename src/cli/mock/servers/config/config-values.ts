import * as z from 'zod';
import { memberProblem } from '../../../../mock/config/document-members.ts';
import { isLifetime } from '../../../../mock/config/lifetimes.ts';
import { readAllowedHost } from '../../../../mock/http/host-check.ts';
import { CODE_FORMATS, readCodeFormat } from '../../../../mock-service/config/code-format.ts';
import { isScope } from '../../../../mock-service/config/scopes.ts';
import { isVendorLabel } from '../../../../mock-service/config/vendor-label.ts';
import { CLIENT_ID, isClientId } from '../../../../protocol/client-id.ts';
import { CORS_ORIGINS, readCorsOrigin } from '../../../../protocol/cors-origin.ts';
import { parseDurationOrZero } from '../../../../protocol/durations.ts';
import { normalizeEmail } from '../../../../protocol/email.ts';
import { HOST_NAME, isHostName } from '../../../../protocol/host-name.ts';
import { isJsonObject, type JsonObject } from '../../../../protocol/json.ts';
import { isPhoneNumber } from '../../../../protocol/phone.ts';
import { isShownName, SHOWN_NAME } from '../../../../protocol/shown-name.ts';
import { isHttpOrigin, urlProblem, withoutFinalSlash } from '../../../../protocol/urls.ts';
import { nearest } from '../../../../runtime/nearest.ts';

/** The kinds of value in a configuration file. The error of each states what it expects. */

export function text(expected = 'a text', fits: (value: string) => boolean = () => true) {
  const error = `expected ${expected}`;
  return z.string({ error }).min(1, { error, abort: true }).refine(fits, { error, abort: true });
}

export const shownName = () => text(SHOWN_NAME, isShownName);

export const clientId = () => text(CLIENT_ID, isClientId);

export const hostName = () => text(HOST_NAME, isHostName);

export const flag = () => z.boolean({ error: 'expected true or false' });

export const port = () => {
  const error = 'expected a port, a number from 0 to 65535';
  return z.int({ error }).min(0, { error }).max(65_535, { error });
};

export const count = (most: number) => {
  const error = `expected a whole number from 0 to ${most}`;
  return z.int({ error }).min(0, { error }).max(most, { error });
};

export const url = () =>
  text(
    'a URL, https or on this machine, like https://provider.example',
    (value) => urlProblem(value) === undefined,
  );

export const urlOrAny = () =>
  text(
    'a URL, https or on this machine, like https://api.example.com, or any',
    (value) => value === 'any' || urlProblem(value) === undefined,
  );

export const origin = () =>
  text('a URL without a path, like http://127.0.0.1:4800', (value) =>
    isHttpOrigin(withoutFinalSlash(value)),
  );

export const host = () =>
  text(
    'a host, or a host with its port, like mock.internal:8080',
    (value) => readAllowedHost(value) !== undefined,
  );

export const email = () => text('an email address', (value) => normalizeEmail(value) !== undefined);

export const phone = () => text('a phone number like +15551234567', isPhoneNumber);

export const lifetime = (of: string) =>
  text('a duration like 90s, 10m or 1h30m', (value) => isLifetime(of, parseDurationOrZero(value)));

export const corsOrigin = () => text(CORS_ORIGINS, (value) => readCorsOrigin(value) !== undefined);

export const scope = () => text('a scope, without spaces and quotes', isScope);

export const codeFormat = () => text(CODE_FORMATS, (value) => readCodeFormat(value) !== undefined);

export const label = () => text('letters, digits and dashes', isVendorLabel);

/** A value out of some names; the error for another one suggests the nearest. */
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

/** A list that is not empty. */
export function some<T extends z.ZodType>(of: T) {
  return list(of).min(1, { error: 'expected a list of at least one' });
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

/** Members of any name and JSON value. */
export function members() {
  return z
    .custom<JsonObject>(isJsonObject, { error: 'expected keys and values' })
    .superRefine((added, context) => {
      for (const [name, value] of Object.entries(added)) {
        const message = memberProblem(name, value);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
    });
}

/** The first names of a long list. */
function listed(known: readonly string[]): string {
  const shown = known.slice(0, 12).join(', ');
  return known.length > 12 ? `known: ${shown}, … (${known.length})` : `known: ${shown}`;
}
