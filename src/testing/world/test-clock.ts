import { parseDuration } from '../../protocol/index.ts';
import type { Clock } from '../../runtime/index.ts';

/** A clock that a test moves. Everybody in a test world reads this one. */
export class TestClock implements Clock {
  readonly #base: Clock;
  #ahead = 0;

  /** @param base What goes on by itself below it. */
  constructor(base: Clock) {
    this.#base = base;
  }

  /** Milliseconds since the Unix epoch. */
  now(): number {
    return this.#base.now() + this.#ahead;
  }

  /**
   * Moves it forward, for service, provider and agent alike. To set the clock of one mock alone, move that with its
   * controls: `service.controls.moveClock({ advance: 90_000 })`.
   * @param by Milliseconds, or a duration: `11m`, `90s`, `2h`.
   * @throws TypeError for anything else.
   */
  advance(by: number | string): void {
    const ms = typeof by === 'number' ? by : parseDuration(by);
    if (ms === undefined || !Number.isSafeInteger(ms) || ms < 0) {
      throw new TypeError(
        `The clock is moved by milliseconds from 0 on, or by a duration such as 11m, not by ${by}.`,
      );
    }
    this.#ahead += ms;
  }
}
