import type { Answer } from '../../http/answer.ts';

/** More than any longer path through a service takes, and less than a search that is quadratic in length. */
const TIMES = 20;
/** Milliseconds: anything shorter is by chance what a busy machine makes of it. */
const LEAST = 20;

/**
 * Whether an answer took far longer than another one of the same run. Compared like this, because the
 * speed of the service, its network and this machine is unknown.
 */
export function isMuchSlower({ duration }: Answer, than: Answer): boolean {
  return duration > TIMES * Math.max(than.duration, LEAST);
}
