import { SECOND } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import type { Answer } from '../../http/answer.ts';

/** The last second that RFC 3339 can write: no end of a peer's is later. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);
/** Above: milliseconds since the epoch. */
const MILLISECONDS = 1e11;
/** Above: seconds since the epoch. Below: seconds from now. */
const SECONDS = 1e9;

const RFC_3339 = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/;

/** A member of an answer that says when something ends. */
export interface TimeMember {
  readonly name: string;
  readonly value: unknown;
}

/**
 * An instant however it is written: RFC 3339, seconds or milliseconds since the epoch, or seconds from `now`.
 * `null`: it is missing, or `null`, which is how the first versions write "never".
 * @throws AgentError `bad_answer` for anything else, an object of a date library for one.
 */
export function readTime(
  answer: Answer,
  who: string,
  { name, value }: TimeMember,
  now: number,
): number | null {
  if (value === undefined || value === null) return null;
  const instant = typeof value === 'string' ? ofText(value, now) : ofNumber(value, now);
  if (instant !== undefined) return Math.min(instant, LATEST);
  throw new AgentError(
    `${who} (${answer.where}) answered with an unusable ${name}: it must be a time of RFC 3339, or a number of seconds or milliseconds.`,
    { code: 'bad_answer' },
  );
}

/** The same where it is not worth losing the rest of an answer: `undefined` for whatever is no time. */
export function lenientTime(value: unknown, now: number): number | undefined {
  const instant = typeof value === 'string' ? ofText(value, now) : ofNumber(value, now);
  return instant === undefined ? undefined : Math.min(instant, LATEST);
}

function ofText(text: string, now: number): number | undefined {
  if (/^\d{1,16}$/.test(text)) return ofNumber(Number(text), now);
  const instant = RFC_3339.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

function ofNumber(value: unknown, now: number): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  if (value > MILLISECONDS) return Math.round(value);
  return value > SECONDS ? Math.round(value * SECOND) : now + Math.round(value * SECOND);
}
