import type { Answer } from '../../http/answer.ts';

/** What a longer way through a service may cost, and no search that grows with the square of a length. */
const TIMES = 20;

/**
 * Whether an answer took out of all proportion to another one of the same run: how fast the service,
 * its network and this machine are, nobody knows beforehand.
 */
export function isMuchSlower({ duration }: Answer, than: Answer): boolean {
  return duration > TIMES * Math.max(than.duration, 1);
}
