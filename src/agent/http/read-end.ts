import { decodeJwt, SECOND, toMilliseconds } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import type { Answer } from './answer.ts';

/** The last second that RFC 3339 can write: no end of a peer's is later. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);

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
