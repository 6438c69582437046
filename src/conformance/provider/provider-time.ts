import type { Clock, Sleep } from '../../runtime/index.ts';
import { NotApplicable } from '../engine/judge.ts';
import type { ProviderControl } from './provider-control.ts';

export interface ProviderTimeOptions {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly control: ProviderControl | undefined;
  /** How long may be waited in earnest where no clock can be moved. Milliseconds. */
  readonly patience: number;
}

/** The time at the judged provider. */
export class ProviderTime {
  #offset = 0;
  readonly #options: ProviderTimeOptions;

  constructor(options: ProviderTimeOptions) {
    this.#options = options;
  }

  /** Milliseconds since the epoch, as the provider sees it. */
  now(): number {
    return this.#options.clock.now() + this.#offset;
  }

  /**
   * For what only waiting shows, wherever the clock stands.
   * @throws NotApplicable when so much waiting is not allowed.
   */
  needPatience(ms: number): void {
    if (ms <= this.#options.patience) return;
    const needed = `${Math.ceil(ms / 1000)}s`;
    throw new NotApplicable(`It takes ${needed} of waiting: allow it with --patience ${needed}.`);
  }

  /** Learns the provider's time from the `Date` of an answer, to the second. */
  learn(date: string | undefined): void {
    const at = Date.parse(date ?? '');
    if (Number.isNaN(at)) return;
    const difference = at - this.#options.clock.now();
    // Below two seconds it is rounding and travel.
    this.#offset = Math.abs(difference) < 2000 ? 0 : difference;
  }

  /**
   * Lets time pass at the provider.
   * @throws NotApplicable where neither clock nor patience allow it; it says what to do.
   */
  async pass(ms: number): Promise<void> {
    const { control, patience, sleep } = this.#options;
    if (control !== undefined) {
      await control.advance(ms);
      this.#offset += ms;
    } else if (ms <= patience) {
      await sleep(ms);
    } else {
      const needed = `${Math.ceil(ms / 1000)}s`;
      throw new NotApplicable(
        `It takes ${needed} of waiting: move the provider's clock (--control), or allow it with --patience ${needed}.`,
      );
    }
  }
}
