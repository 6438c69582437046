import { codeMeant, entryOf } from '../../discovery/index.ts';
import {
  type AgentMove,
  describeDuration,
  displayText,
  isJsonObject,
  type JsonObject,
  parseChallenges,
  retryAfter,
  WIRE_CODES,
  wireCode,
} from '../../protocol/index.ts';
import type { ErrorKind } from '../agent-codes.ts';
import { AgentError, type AgentSurface, type Problem, type WireErrorCode } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';
import type { Step } from '../next-step.ts';

/**
 * The error of an answer in one shape, whatever the envelope: RFC 6749, RFC 8935, nested, or only a
 * challenge. The code decides, whatever the status; a success status with an `error` is an error.
 * `undefined` when there is none. A redirect is none, whatever is in it: the reader of the success
 * refuses it.
 */
export function readProblem(answer: Answer, surface: AgentSurface): Problem | undefined {
  const { status, headers, sentAt } = answer;
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
    retryAfter: retryAfter(headers, sentAt) ?? milliseconds(countIn(json['retry_after'])),
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

const POLL_CODES: ReadonlySet<string> = new Set([...POLL_STATUS.values(), 'slow_down']);

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

/** What a move of the list of wire codes means for the caller. */
const KIND_OF_MOVE = {
  fix_request: 'refused',
  stop: 'refused',
  wait: 'pending',
  slow_down: 'pending',
  reopen: 'expired',
  register: 'not_registered',
  poll_claim: 'not_registered',
  sign_in: 'pending',
  consent: 'pending',
  confirm: 'pending',
  ask_code: 'refused',
  mint: 'refused',
  exchange: 'not_registered',
  claim: 'refused',
  retry_later: 'network',
} as const satisfies Record<AgentMove, ErrorKind>;

/** Codes whose kind is not that of their move. */
const KIND_OF_CODE: Readonly<Record<string, ErrorKind>> = {
  claim_expired: 'expired',
  expired: 'expired',
  expired_token: 'expired',
  already_claimed: 'refused',
  claimed_or_in_flight: 'refused',
  rate_limited: 'refused',
};

/** What a code of the wire means for the caller. */
export function kindOfWireCode(code: string, next: AgentMove): ErrorKind {
  return KIND_OF_CODE[code] ?? KIND_OF_MOVE[next];
}

/** Hints for users; the moves that are left out have nothing to add to the description. */
const HINT_OF_MOVE: Partial<Readonly<Record<AgentMove, string>>> = {
  retry_later: 'Try again later.',
  reopen: 'Open another attempt.',
  register: 'Register again.',
  poll_claim: 'Register again.',
  mint: 'Mint a new ID-JAG and register with that.',
  sign_in: 'Let the user sign in at the provider again.',
  consent: 'Let the user agree at the provider first.',
  confirm: 'Let the user sign in on the page and confirm there; then give the code that it shows.',
  ask_code: 'Ask the user for the code again, as the page or the mail shows it.',
};

/** A 5xx that says in words of its own why: what they say may be no matter of time. */
export const ONCE_MENDED =
  'What the server says of it may not pass by itself: look at that before you try again.';

const CLIENT_HINT =
  'Where it demands a client_id of its own, register with it: --member client_id=ID.';

const SURFACES = {
  identity: 'The registration',
  claim: 'The claim',
  read_back: 'The code',
  refresh: 'The refresh',
  token: 'The token request',
  revocation: 'The revocation',
  resource: 'The call',
  provider: 'The request to the provider',
} as const satisfies Record<AgentSurface, string>;

/** A problem as the error that ends the command. `next` is what the caller would do about it. */
export function problemError(problem: Problem, next?: Step): AgentError {
  const { surface, code, status, move, retryAfter } = problem;
  if (code === 'rate_limited') return rateLimited(problem, SURFACES[surface], next);
  const wait =
    retryAfter === undefined ? '' : ` The server asks to wait ${describeDuration(retryAfter)}.`;
  const known = code === undefined ? undefined : entryOf(surface, code);
  // What our mock means by it is one case of many. At a provider this agent has one client_id, which nobody chooses.
  const isClient = code === 'invalid_client' && surface !== 'provider';
  const hint = isClient ? CLIENT_HINT : HINT_OF_MOVE[known?.next ?? move];
  if (known !== undefined) {
    const meaning = isClient ? 'The service did not accept this client.' : known.description;
    return new AgentError(
      `${SURFACES[surface]} was refused: ${meaning}${wordsBeside(problem, meaning)}${wait}`,
      {
        code: code as WireErrorCode,
        kind: kindOfWireCode(code ?? '', known.next),
        hint,
        next,
        problem,
      },
    );
  }
  const named = code === undefined ? 'without naming a reason' : `for the reason ${code}`;
  const refusal = `${SURFACES[surface]} was refused with ${status}, ${named}.`;
  const words = quoted(problem);
  return new AgentError(refusal + words + wait, {
    code: status >= 500 ? 'server_error' : 'unknown_problem',
    hint: status >= 500 && words !== '' && retryAfter === undefined ? ONCE_MENDED : hint,
    next,
    problem,
  });
}

/**
 * Whatever the endpoint and its list of codes: a 429 is one thing, and the seconds are what matters.
 * @param what was asked for, as the start of a sentence.
 */
function rateLimited(problem: Problem, what: string, next?: Step): AgentError {
  const { retryAfter } = problem;
  const wait =
    retryAfter === undefined
      ? ' It does not say for how long.'
      : ` The server asks to wait ${describeDuration(retryAfter)}.`;
  const words = wordsBeside(problem, WIRE_CODES.identity.rate_limited.description);
  return new AgentError(`${what} was refused: too many requests.${words}${wait}`, {
    code: 'rate_limited',
    kind: KIND_OF_CODE['rate_limited'],
    hint: 'Wait, then try again.',
    next,
    problem,
  });
}

/** A document that was not served now: too many requests (RFC 6585 §4). `undefined` for any other status. */
export function tooManyRequests(
  what: string,
  answer: Omit<Answer, 'body' | 'text'>,
): AgentError | undefined {
  if (answer.status !== 429) return undefined;
  const { headers, sentAt, status, where } = answer;
  const body = { ok: false, problem: 'empty' } as const;
  const problem = readProblem({ headers, sentAt, status, where, body }, 'resource');
  return problem && rateLimited(problem, `${what} (${where})`);
}

/** The peer's own words, where they differ from ours: the mocks use the texts of the list of codes. */
export function wordsBeside(problem: Problem, ours: string): string {
  return problem.description === ours
    ? quoted({ ...problem, description: undefined })
    : quoted(problem);
}

/** Theirs, its own name for the code first: made safe for a terminal, and marked as theirs. */
function quoted({ code, sent, description }: Problem): string {
  const words = [sent === code ? undefined : sent, description].filter(
    (text) => text !== undefined,
  );
  const text = displayText([...new Set(words)].join(': '), 200);
  return text === '' ? '' : ` It says: "${text}".`;
}
