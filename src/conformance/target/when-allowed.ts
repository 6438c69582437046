import { CannotTest, NeedsOption } from '../engine/judge.ts';
import type { Answer } from '../http/answer.ts';
import { asOption, inWords, type TargetTime } from './target-time.ts';

/** Codes of 429 that are about one claim, not about how often anything is asked. */
const ABOUT_A_CLAIM = ['slow_down', 'too_many_attempts'];

/** Whether an answer refuses a request because there were too many, whatever it asks for (RFC 6585 §4). */
export function isLimited(answer: Answer): boolean {
  return answer.status === 429 && !ABOUT_A_CLAIM.includes(answer.errorCode ?? '');
}

/**
 * Milliseconds that `Retry-After` asks for, as seconds or as an instant (RFC 9110 §10.2.3); undefined where it
 * says neither.
 * @param now Milliseconds since the epoch, as the peer sees it.
 */
export function retryAfter(answer: Answer, now: number): number | undefined {
  const text = answer.header('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** What ends a scenario whose request was refused for too many requests: so little proves nothing. */
export function limitedFor(answer: Answer, peer: 'service' | 'provider'): Error {
  const seconds = answer.header('retry-after')?.trim() ?? '';
  const limited = `The ${peer} limits the rate (429), so what it refuses proves nothing`;
  if (!/^\d+$/.test(seconds)) return new CannotTest(`${limited}: lift its limits for this run.`);
  const ms = Number(seconds) * 1000;
  const option = `--patience ${asOption(ms)}`;
  return new NeedsOption(
    `${limited}. It asks to wait ${inWords(ms)}: pass ${option}, or lift its limits for this run.`,
    option,
  );
}

/** `Retry-After: 0` would have it asked without a pause. Milliseconds. */
const SHORTEST = 250;

/**
 * Sends, and where the peer asks to come back later waits so long and sends again. What it waits in all is
 * within the patience; an answer that asks for more is returned as it is.
 */
export async function whenAllowed(
  time: Pick<TargetTime, 'now' | 'patience' | 'wait'>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  let left = time.patience;
  for (;;) {
    const answer = await send();
    const after = isLimited(answer) ? retryAfter(answer, time.now()) : undefined;
    if (after === undefined || Math.max(after, SHORTEST) > left) return answer;
    left -= Math.max(after, SHORTEST);
    await time.wait(Math.max(after, SHORTEST));
  }
}
