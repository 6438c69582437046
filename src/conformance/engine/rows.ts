import { Answer } from '../http/answer.ts';
import { challengeParameter } from '../http/challenge.ts';
import { type FindingDetails, type Reading, shown } from './judge.ts';

/** A JSON object: a document, the claims of a JWT. */
type Json = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

/** The status of an answer is one of these. */
export const status =
  (...statuses: readonly number[]) =>
  (answer: Answer): Reading => ({ ok: statuses.includes(answer.status) });

/** The error code of an answer, in whatever envelope. */
export const errorCode =
  (code: string, more: FindingDetails = {}) =>
  (answer: Answer): Reading => ({ ok: answer.errorCode === code, ...more });

/** A 4xx status. With a 5xx nothing was taken either: its status is the finding. */
export const refused = (answer: Answer): Reading => ({ ok: answer.refused, ...failing(answer) });

/** The details of what was not taken, and answered as though the peer had broken on it. */
export function failing({ status }: Pick<Answer, 'status'>): FindingDetails {
  if (status < 500) return {};
  return {
    expected: 'It is refused with a 4xx status: 5xx says that the peer broke.',
    reading: 'Nothing was taken, and a server that breaks may say so by a 5xx (RFC 9110 §15.6).',
  };
}

/** A member of a JSON object, or of that of an answer. Shown as in JSON, by which secrets are found. */
export const member =
  (name: string, test: Test, more: FindingDetails = {}) =>
  (subject: Answer | Json): Reading => {
    const value = subject instanceof Answer ? subject.member(name) : subject[name];
    return { ok: test(value), seen: `${JSON.stringify(name)}: ${shown(value)}`, ...more };
  };

/** A header field of an answer; `undefined` where it has none. */
export const header =
  (name: string, test: (value: string | undefined) => boolean, more: FindingDetails = {}) =>
  (answer: Answer): Reading => {
    const value = answer.header(name.toLowerCase());
    return { ok: test(value), seen: `${name}: ${value ?? 'none'}`, ...more };
  };

/** The media type of an answer, whatever its parameters, is one of these. */
export const mediaType =
  (...types: readonly string[]) =>
  (answer: Answer): Reading =>
    header('Content-Type', () => types.includes(answer.mediaType))(answer);

/** No cache keeps the answer. */
export const noStore = (answer: Answer): Reading =>
  header('Cache-Control', () => answer.cacheControl.includes('no-store'))(answer);

/** A parameter of the Bearer challenge of an answer; `undefined` where it has none. */
export const challenge =
  (name: string, test: (value: string | undefined) => boolean, more: FindingDetails = {}) =>
  (answer: Answer): Reading => {
    const value = challengeParameter(answer.header('www-authenticate'), 'bearer', name);
    return header('WWW-Authenticate', () => test(value), more)(answer);
  };

/** Asks only where it applies: right elsewhere. */
export const when =
  (applies: boolean, test: Test): Test =>
  (value) =>
    !applies || test(value);
export const not =
  (test: Test): Test =>
  (value) =>
    !test(value);
/** Expects one of these values. */
export const is =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);
export const matches = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value);
/** A list with this element. */
export const has = (item: unknown) => (value: unknown) =>
  Array.isArray(value) && value.includes(item);
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isPresent = (value: unknown) => value !== undefined;
export const isAbsent = (value: unknown) => value === undefined;
