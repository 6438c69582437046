import {
  decodeJwt,
  displayText,
  HOUR,
  MINUTE,
  SECOND,
  toMilliseconds,
} from '../../protocol/index.ts';
import { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import type { TypeThereAttempt } from '../model.ts';
import { type Answer, requireJson } from './answer.ts';
import { requirePage } from './url-policy.ts';

/** A schema of the vocabulary, as far as a reader needs it. */
export interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };
      };
}

/** What a member must be, by the last part of its name; any other gets a general text. */
const EXPECTED: Readonly<Record<string, string>> = {
  interval: 'a positive whole number of seconds',
  expires_in: 'a positive whole number of seconds',
};

/**
 * The members of a success, in the shape that a schema gives.
 * @throws AgentError `bad_answer` that names the member, or as `requireJson`.
 */
export function readMembers<T>(answer: Answer, who: string, schema: Schema<T>): T {
  const result = schema.safeParse(requireJson(answer, who));
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path ?? [];
  const expected = EXPECTED[String(path.at(-1))];
  throw new AgentError(
    `${who} (${answer.where}) answered without a usable ${path.join('.')}: it must be ${
      expected ?? 'present and of its type'
    }.`,
    { code: 'bad_answer' },
  );
}

/** A token of an answer: printable ASCII without spaces, so that it fits a header and a form. */
export function readSecret(answer: Answer, who: string, member: string, value: string): Secret {
  if (/^[\x21-\x7e]+$/.test(value)) return new Secret(value);
  throw unusable(
    answer,
    who,
    member,
    'is empty or contains characters that a token cannot contain',
  );
}

/** A code for a user: as sent, provided that it can be shown. */
function readUserCode(answer: Answer, who: string, value: string): Secret {
  if (value.trim() !== '' && displayText(value) === value) return new Secret(value);
  throw unusable(answer, who, 'user_code', 'contains characters that cannot be displayed');
}

function unusable(answer: Answer, who: string, member: string, why: string): AgentError {
  return new AgentError(
    `${who} (${answer.where}) answered with an unusable ${member}: it ${why}.`,
    {
      code: 'bad_answer',
    },
  );
}

/** RFC 8628 §3.2: without an `interval`. */
const DEFAULT_INTERVAL = 5 * SECOND;
const LONGEST_INTERVAL = 60 * SECOND;
/** How long a code is good without an `expires_in`, which RFC 8628 asks for and the specification does not list. */
const DEFAULT_WINDOW = 10 * MINUTE;
/** A user is never asked to watch a code for longer than this. */
const LONGEST_WINDOW = HOUR;

/** The members that RFC 8628 §3.2 and a claim block share. */
interface CodeMembers {
  readonly user_code: string;
  readonly verification_uri: string;
  readonly expires_in?: number | undefined;
  readonly interval?: number | undefined;
}

/**
 * A code, its page and its times: the interval of whole seconds kept to 60, the window to an hour. An
 * interval of 0 is none, and a fraction is rounded up: neither is worth losing the code.
 * @param end where the answer says it otherwise, in milliseconds.
 */
export function readCeremony(
  answer: Answer,
  who: string,
  members: CodeMembers,
  now: number,
  end?: number,
): Omit<TypeThereAttempt, 'ended' | 'kind'> {
  const interval = Math.ceil(members.interval || DEFAULT_INTERVAL / SECOND) * SECOND;
  const window =
    members.expires_in === undefined ? windowTo(end, now) : members.expires_in * SECOND;
  return {
    userCode: readUserCode(answer, who, members.user_code),
    verificationUri: requirePage(members.verification_uri, 'The verification_uri'),
    expiresAt: now + Math.min(window, LONGEST_WINDOW),
    interval: Math.min(interval, LONGEST_INTERVAL),
  };
}

/** The code is new, so an end in the past comes from a clock that is wrong: the default counts. */
function windowTo(end: number | undefined, now: number): number {
  const window = end === undefined ? DEFAULT_WINDOW : end - now;
  return window > 0 ? window : DEFAULT_WINDOW;
}

/** The last second that RFC 3339 can write: no end of a peer's is later. */
export const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);

interface EndSources {
  /** Members of the answer that give it in seconds from now, first come first served. */
  readonly spans: readonly string[];
  /** What ends; a JWT has its own `exp`. */
  readonly value: Secret;
  /** The server's time. */
  readonly now: number;
}

/**
 * When a secret of an answer ends whose own member does not say it: by a span beside it, else by the secret's own
 * `exp` if it is a JWT (decoded, not verified: it came from its issuer); `null` when none is there. A span that is
 * no positive number is ignored: the specification has no such member.
 */
export function readEnd(answer: Answer, { spans, value, now }: EndSources): number | null {
  const members = answer.body.ok ? answer.body.json : {};
  const span = spans.map((name) => members[name]).find(isSpan);
  if (span !== undefined) return after(now, span);
  const exp = decodeJwt(value.reveal())?.payload['exp'];
  return isSpan(exp) ? Math.min(toMilliseconds(exp), LATEST) : null;
}

/** @param seconds from `now`; however many, the end is a time that can be shown. */
export function after(now: number, seconds: number): number {
  return Math.min(now + seconds * SECOND, LATEST);
}

export function isSpan(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
