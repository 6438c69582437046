import { displayText, isJsonObject, type JsonObject, SECOND } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { type Answer, requireJson } from '../http/answer.ts';
import { LATEST, readEnd, readSecret } from '../http/read-members.ts';
import type { IdentityAssertion, RefreshToken } from '../model.ts';

/** An answer that is being read. */
export interface Reading {
  readonly answer: Answer;
  /** Who gave it, as the start of a sentence. */
  readonly who: string;
  readonly json: JsonObject;
  /** The server's time, against which spans become instants. */
  readonly now: number;
}

/** @throws AgentError `bad_answer` and others where it is no JSON object. */
export function readingOf(answer: Answer, who: string): Reading {
  return { answer, who, json: requireJson(answer, who), now: answer.sentAt };
}

/** @param how it answered, to go on after the name of who did. */
export function badAnswer({ answer, who }: Reading, how: string): AgentError {
  return new AgentError(`${who} (${answer.where}) answered ${how}.`, { code: 'bad_answer' });
}

/** Above: milliseconds since the epoch. */
const MILLISECONDS = 1e11;
/** Above: seconds since the epoch. Below: seconds from now. */
const SECONDS = 1e9;

const RFC_3339 = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/;

/**
 * An instant however it is written: RFC 3339, seconds or milliseconds since the epoch, or seconds from `now`.
 * `null`: it is missing, or `null`, which is how the first versions write "never".
 * @throws AgentError `bad_answer` for anything else, an object of a date library for one.
 */
export function readTime(reading: Reading, name: string, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const instant = lenientTime(value, reading.now);
  if (instant !== undefined) return instant;
  throw badAnswer(
    reading,
    `with an unusable ${name}: it must be a time of RFC 3339, or a number of seconds or milliseconds`,
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

/**
 * Names of scopes, as a list or as one text with spaces (RFC 6749 §3.3), made safe to show. `null`: the answer
 * has none, or something else in their place, which is not worth losing the rest of it.
 */
export function readNames(value: unknown): readonly string[] | null {
  const names = typeof value === 'string' ? value.split(' ') : value;
  if (!Array.isArray(names)) return null;
  return names
    .filter((name): name is string => typeof name === 'string' && name !== '')
    .map((name) => displayText(name, 100));
}

/** The first of several members that is text. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((each) => typeof each === 'string');
}

/** What an answer gives to exchange, and the refresh token beside it where there is one. */
export interface Identity {
  readonly assertion: IdentityAssertion;
  /** Left out: the answer has none. */
  readonly refresh?: RefreshToken;
}

/** Members that say in seconds from now when the assertion ends; none is of any version, services write them. */
const ASSERTION_SPANS = ['assertion_expires_in', 'identity_assertion_expires_in'] as const;

/**
 * The assertion in its object, else the flat member: of an answer that mixes families, the object may describe
 * whom it is about. `undefined`: there is none in either.
 * @throws AgentError `bad_answer` for one that cannot be sent.
 */
export function readIdentity(reading: Reading): Identity | undefined {
  const { identity, identity_assertion: flat, assertion_expires: flatEnd } = reading.json;
  const inside: JsonObject = isJsonObject(identity) ? identity : {};
  const { assertion: value, expires_at: end, refresh_token: refresh } = inside;
  const isInside = value !== undefined && value !== null;
  if (!isInside && (flat === undefined || flat === null)) return undefined;
  const assertion = isInside
    ? readValue(reading, 'identity.assertion', value, end)
    : readValue(reading, 'identity_assertion', flat, flatEnd, ASSERTION_SPANS);
  if (refresh === undefined || refresh === null) return { assertion };
  // An object; or, as a simpler service may have it, the token alone.
  const name = 'identity.refresh_token';
  const next = isJsonObject(refresh)
    ? readValue(reading, `${name}.value`, refresh['value'], refresh['expires_at'])
    : readValue(reading, name, refresh, undefined);
  return { assertion, refresh: next };
}

function readValue(
  reading: Reading,
  name: string,
  given: unknown,
  end: unknown,
  spans: readonly string[] = [],
): IdentityAssertion {
  const { answer, who, now } = reading;
  if (typeof given !== 'string') {
    throw badAnswer(reading, `without a usable ${name}: it must be text`);
  }
  const value = readSecret(answer, who, name, given);
  const expiresAt = readTime(reading, `end of ${name}`, end);
  return { value, expiresAt: expiresAt ?? readEnd(answer, { spans, value, now }) };
}
