import { codeMeant, entryOf } from '../../discovery/index.ts';
import {
  type AgentMove,
  displayText,
  isJsonObject,
  type JsonObject,
  parseChallenges,
  retryAfter,
  wireCode,
} from '../../protocol/index.ts';
import type { AgentSurface, Problem } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';

/**
 * The error of an answer in one shape, whatever the envelope: RFC 6749, RFC 8935, nested, or only a
 * challenge. The code decides, whatever the status; a success status with an `error` is an error.
 * `undefined` when there is none. A redirect is none, whatever is in it: the reader of the success
 * refuses it.
 */
export function readProblem(
  answer: Answer,
  surface: AgentSurface,
  now: number,
): Problem | undefined {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) return undefined;
  const failed = status >= 400;
  const json = jsonOf(answer, failed);
  const challenge = failed ? readChallenge(headers) : {};
  const sent =
    codeIn(json['error']) ??
    (failed ? (codeIn(json['err']) ?? codeIn(json['code'])) : undefined) ??
    codeIn(challenge['error']);
  if (!failed && sent === undefined) return noTokenYet(answer, surface);
  const named = sent === undefined ? undefined : codeMeant(surface, sent);
  const code = status === 429 && !isOf429(surface, named) ? 'rate_limited' : named;
  return {
    surface,
    code,
    sent: wordsIn(wordSent(json, failed) ?? textIn(challenge['error'])),
    move:
      (code === undefined ? undefined : moveOf(surface, code)) ??
      (status === 429 || status >= 500 ? 'retry_later' : 'stop'),
    description: wordsIn(descriptionIn(json) ?? textIn(challenge['error_description'])),
    status,
    retryAfter: retryAfter(headers, now) ?? milliseconds(countIn(json['retry_after'])),
    maxAge: countIn(json['max_age']) ?? countIn(Number(challenge['max_age'])),
    acrValues: textIn(json['acr_values'] ?? challenge['acr_values']),
    ...withTriesLeft(json),
    scope: textIn(challenge['scope'] ?? json['scope'])?.split(' '),
  };
}

/** What the `status` of a poll without a token means; earlier texts of version 0.6 answered so, with 200. */
const POLL_STATUS: ReadonlyMap<unknown, string> = new Map([
  ['pending', 'authorization_pending'],
  ['initiated', 'authorization_pending'],
  ['denied', 'access_denied'],
  ['expired', 'expired_token'],
]);

function noTokenYet({ body, status }: Answer, surface: AgentSurface): Problem | undefined {
  if (surface !== 'token' || !body.ok || body.json['access_token'] !== undefined) return undefined;
  const sent = body.json['status'];
  const code = POLL_STATUS.get(sent);
  const move = code && moveOf(surface, code);
  if (typeof sent !== 'string' || code === undefined || !move) return undefined;
  const nothing = { retryAfter: undefined, maxAge: undefined, scope: undefined };
  return { surface, code, sent, move, status, description: undefined, ...nothing };
}

function withTriesLeft(json: JsonObject): Pick<Problem, 'attemptsRemaining'> {
  const attemptsRemaining = countIn(json['attempts_remaining']);
  return attemptsRemaining === undefined ? {} : { attemptsRemaining };
}

/** What no text may hold makes a success unusable, but not the reason of a refusal: that is cleaned. */
function jsonOf({ body, text = '' }: Answer, failed: boolean): JsonObject {
  if (body.ok) return body.json;
  if (!failed || body.problem !== 'unstorable_text') return {};
  const json: unknown = JSON.parse(text);
  return isJsonObject(json) ? json : {};
}

/** The text in the place of a code, whatever its form. */
function wordSent(json: JsonObject, failed: boolean): string | undefined {
  const named = [json['error'], ...(failed ? [json['err'], json['code']] : [])];
  return named
    .map((value) => (isJsonObject(value) ? value['code'] : value))
    .map((value) => (typeof value === 'string' ? displayText(value, 64) : ''))
    .find((word) => word !== '');
}

/**
 * Whether the code of a 429 counts: one that has this status, or one of a poll (RFC 8628 §3.5). Any other
 * 429 comes from a rate limiter in front of the endpoint.
 */
function isOf429(surface: AgentSurface, code: string | undefined): boolean {
  if (code === undefined) return false;
  const known = wireCode(surface, code);
  return known !== undefined && (known.status === 429 || POLL_CODES.has(code));
}

const POLL_CODES: ReadonlySet<string> = new Set([
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
]);

/** The parameters of whichever challenge carries an error. */
function readChallenge(headers: Headers): Readonly<Record<string, string | undefined>> {
  const field = headers.get('www-authenticate') ?? '';
  const ours = parseChallenges(field).filter(({ scheme }) => /^(agentauth|bearer)$/i.test(scheme));
  return ours.find(({ params }) => params['error'] !== undefined)?.params ?? {};
}

function codeIn(value: unknown): string | undefined {
  const code = isJsonObject(value) ? value['code'] : value;
  const word = typeof code === 'string' ? displayText(code, 100) : '';
  return /^[\w.-]{1,64}$/.test(word) ? word : undefined;
}

function descriptionIn(json: JsonObject): string | undefined {
  const nested = json['error'];
  return (
    textIn(json['error_description']) ??
    textIn(json['message']) ??
    textIn(json['description']) ??
    (isJsonObject(nested) ? textIn(nested['message']) : undefined) ??
    // RFC 9457 §3.1.4.
    textIn(json['detail'])
  );
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? displayText(value) || undefined : undefined;
}

// A long word with a digit in it, or a JWT: what a server may quote of what was sent to it.
const LIKE_A_SECRET = /(?=[\w.~+=-]*\d)(?=[\w.~+=-]*[a-z])[\w~+-]{20,}[\w.~+=-]*/gi;

/** A peer's words without what may be a secret: it may quote ours, and an error carries none. */
function wordsIn(text: string | undefined): string | undefined {
  return text?.replace(LIKE_A_SECRET, '…');
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Codes that only services have: there is no other name for them, but it is known what helps. */
const MOVES: Readonly<Partial<Record<AgentSurface, Readonly<Record<string, AgentMove>>>>> = {
  token: { insufficient_user_authentication: 'sign_in' },
  resource: { capability_requires_claim: 'claim' },
};

/** What to do about a code; `undefined` where that is not known. */
function moveOf(surface: AgentSurface, code: string): AgentMove | undefined {
  if (code === 'rate_limited') return 'retry_later';
  const moves = MOVES[surface] ?? {};
  return entryOf(surface, code)?.next ?? (Object.hasOwn(moves, code) ? moves[code] : undefined);
}
