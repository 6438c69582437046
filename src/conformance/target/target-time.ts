import type { Clock, Sleep } from '../../runtime/index.ts';
import { NeedsOption } from '../engine/judge.ts';
import type { TargetControl } from './target-control.ts';

interface TargetTimeOptions {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly control: Pick<TargetControl, 'advance'> | undefined;
  /** How long may be waited where no clock can be moved. Milliseconds. */
  readonly patience: number;
}

/** Differences below this are rounding and travel: `Date` counts in seconds. Milliseconds. */
const PRECISION = 2000;

/** The time at the judged service or provider. */
export class TargetTime {
  #offset = 0;
  readonly #options: TargetTimeOptions;

  constructor(options: TargetTimeOptions) {
    this.#options = options;
  }

  /** Milliseconds since the epoch, as the target sees it. */
  now(): number {
    return this.#options.clock.now() + this.#offset;
  }

  /**
   * For what only waiting shows, even where the clock can be moved.
   * @throws NeedsOption when so much waiting is not allowed.
   */
  needPatience(ms: number): void {
    if (ms <= this.#options.patience) return;
    const option = `--patience ${asOption(ms)}`;
    throw new NeedsOption(`Needs a wait of ${inWords(ms)}: pass ${option}.`, option);
  }

  /** Learns the target's time from the `Date` of an answer, to the second. */
  learn(date: string | undefined): void {
    const at = Date.parse(date ?? '');
    if (Number.isNaN(at)) return;
    const difference = at - this.#options.clock.now();
    this.#offset = Math.abs(difference) < PRECISION ? 0 : difference;
  }

  /** How long may be waited where no clock can be moved. Milliseconds. */
  get patience(): number {
    return this.#options.patience;
  }

  /** Waits, whatever clock can be moved: for what the target measures with a clock of its own. */
  async wait(ms: number): Promise<void> {
    await this.#options.sleep(ms);
  }

  /**
   * Lets time pass at the target: its clock is moved, or else waited for.
   * @throws NeedsOption where neither is possible; the message says what to do.
   */
  async pass(ms: number): Promise<void> {
    const { control, patience, sleep } = this.#options;
    if (control !== undefined) {
      await control.advance(ms);
      this.#offset += ms;
    } else if (ms <= patience) {
      await sleep(ms);
    } else {
      const option = `--patience ${asOption(ms)}`;
      throw new NeedsOption(
        `Needs a wait of ${inWords(ms)}: move the clock (--control), or pass ${option}.`,
        option,
      );
    }
  }
}

/** `2 minutes`, `1 second`. */
export function inWords(ms: number): string {
  const { amount, unit } = inUnits(ms);
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** A value of `--patience`: `2m`, `1s`. */
export function asOption(ms: number): string {
  const { amount, unit } = inUnits(ms);
  return `${amount}${unit.charAt(0)}`;
}

/** Beyond two minutes in whole minutes: more than enough is as good. */
function inUnits(ms: number): { readonly amount: number; readonly unit: 'minute' | 'second' } {
  const seconds = Math.ceil(ms / 1000);
  return seconds > 120 || seconds % 60 === 0
    ? { amount: Math.ceil(seconds / 60), unit: 'minute' }
    : { amount: seconds, unit: 'second' };
}
