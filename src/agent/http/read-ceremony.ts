import { HOUR, MINUTE, SECOND } from '../../protocol/index.ts';
import type { TypeThereAttempt } from '../model.ts';
import type { Answer } from './answer.ts';
import { readUserCode } from './read-members.ts';
import { requirePage } from './url-policy.ts';

/** RFC 8628 §3.2: without an `interval`. */
const DEFAULT_INTERVAL = 5 * SECOND;
const LONGEST_INTERVAL = 60 * SECOND;
/** Without an `expires_in`, which RFC 8628 asks for and the specification does not list. */
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
