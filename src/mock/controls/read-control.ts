import { buildChallenge } from '../../protocol/challenge.ts';
import { MEDIA_TYPE } from '../../protocol/constants.ts';
import { parseDurationOrZero } from '../../protocol/durations.ts';
import { type JsonObject, parseJsonObject } from '../../protocol/json.ts';
import { isStorableText, wireText } from '../../protocol/text.ts';
import { bodyReader, type Context, type Envelope, readText } from '../http/request.ts';
import { json, WireProblem } from '../http/response.ts';

/** Why a control call was refused. These codes are not part of the protocol. */
const KINDS = {
  invalid_request: 400,
  invalid_token: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  misdirected_request: 421,
} as const;

type ControlProblemKind = keyof typeof KINDS;

/** @param description public: says to the caller what to do. */
export function controlProblem(kind: ControlProblemKind, description: string): WireProblem {
  return new WireProblem({
    surface: 'transport',
    code: kind,
    status: KINDS[kind],
    description,
    members: {},
    headers:
      kind === 'invalid_token'
        ? { 'www-authenticate': buildChallenge('Bearer', { realm: 'mock-control' }) }
        : {},
  });
}

/** `/__mock`: `{ error, error_description }`. */
export const controlEnvelope: Envelope = ({ code, description, headers, members, status }) =>
  json({ error: code, error_description: wireText(description), ...members }, { status, headers });

/** @throws WireProblem where what was given is refused as an option would be. */
export function checked<T>(resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof TypeError) throw controlProblem('invalid_request', error.message);
    throw error;
  }
}

/** The JSON object of a control call; a call without a body has no members. */
export async function readControlBody(c: Context): Promise<JsonObject> {
  if (isWithoutBody(c)) return {};
  const parsed = parseJsonObject(await readText(bodyReader, c, MEDIA_TYPE.json));
  if (!parsed.ok) throw controlProblem('invalid_request', 'The body is not a JSON object.');
  return parsed.value;
}

/** @throws WireProblem for a member that is none of these: a misspelled one would be left out unseen. */
export function requireMembers(body: JsonObject, names: readonly string[]): JsonObject {
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown === undefined) return body;
  throw controlProblem('invalid_request', `The body has ${names.join(', ')}, and nothing else.`);
}

/** A duration as text (`11m`) or in milliseconds; `undefined` when the member is not there. */
export function readDuration(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  const ms = typeof value === 'string' ? parseDurationOrZero(value) : value;
  if (typeof ms === 'number' && Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw controlProblem('invalid_request', `${name} must be a duration like 90s, 11m or 1h30m.`);
}

export function readOptionalText(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isStorableText(value)) return value;
  throw controlProblem('invalid_request', `${name} must be text.`);
}

export function readNames(body: JsonObject, name: string): readonly string[] {
  const value = body[name];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw controlProblem('invalid_request', `${name} must be a list of names.`);
}

export function readOptionalNames(body: JsonObject, name: string): readonly string[] | undefined {
  return body[name] === undefined ? undefined : readNames(body, name);
}

/** A part of the path; empty, which names nothing, where it is a text that no store has. */
export function readPathText(c: Context, name: string): string {
  const text = c.req.param(name) ?? '';
  return isStorableText(text) ? text : '';
}

/** A whole number of the query; `undefined` when it is not there. */
export function readCount(c: Context, name: string, most: number): number | undefined {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw controlProblem('invalid_request', `${name} must be a number from 0 to ${most}.`);
}

/** A body is announced by its type or its length (RFC 9112 §6). */
function isWithoutBody(c: Context): boolean {
  const { req } = c;
  const length = req.header('content-length') ?? '0';
  return (
    req.header('content-type') === undefined &&
    length === '0' &&
    req.header('transfer-encoding') === undefined
  );
}
