import type { Exchange } from '../../../traffic/index.ts';
import { answeredAt } from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';

interface Refusals {
  readonly count: number;
  /** When the first of them came. */
  readonly since: number;
  /** When the last one was answered. */
  readonly until: number;
}

interface RepeatLimits {
  /** So many refusals are one too many. */
  readonly most: number;
  /** In so much time, in milliseconds. Default: whenever. */
  readonly within?: number;
}

/**
 * Counts how often the same thing was refused though its sender had been told. Requests that were under way
 * together count as one.
 */
export class Repeats {
  readonly #most: number;
  readonly #within: number;
  readonly #refusals = new RecentMap<string, Refusals>();

  constructor({ most, within = Number.POSITIVE_INFINITY }: RepeatLimits) {
    this.#most = most;
    this.#within = within;
  }

  /** @returns whether it was refused once too often, each time told before it was sent again. */
  refused(key: string, exchange: Exchange): boolean {
    const { at } = exchange;
    const known = this.#refusals.get(key);
    const before = known !== undefined && at - known.since <= this.#within ? known : undefined;
    const isTold = before === undefined || at > before.until;
    const count = (before?.count ?? 0) + (isTold ? 1 : 0);
    this.#refusals.set(key, {
      count,
      since: before?.since ?? at,
      until: Math.max(before?.until ?? Number.NEGATIVE_INFINITY, answeredAt(exchange)),
    });
    return isTold && count >= this.#most;
  }

  forget(key: string): void {
    this.#refusals.delete(key);
  }
}
