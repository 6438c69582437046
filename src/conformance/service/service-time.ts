import type { Clock, Sleep } from '../../runtime/index.ts';
import { NotApplicable } from '../engine/judge.ts';

/** What a mock's control API, or anything that speaks like it, can do for the suite. */
export interface ServiceControl {
  /** Moves the service's clock forward. Milliseconds. */
  advance(by: number): Promise<void>;
  /** Lets the service accept a provider. */
  trust(entry: { readonly issuer: string; readonly jwksUri: string }): Promise<void>;
  /** Sets the clock to what it was before the run. */
  restore(): Promise<void>;
}

export interface ServiceTimeOptions {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly control: ServiceControl | undefined;
  /** How long may be waited in earnest where no clock can be moved. Milliseconds. */
  readonly patience: number;
}

/** The time at the judged service. */
export class ServiceTime {
  #offset = 0;
  readonly #options: ServiceTimeOptions;

  constructor(options: ServiceTimeOptions) {
    this.#options = options;
  }

  /** Milliseconds since the epoch, as the service sees it. */
  now(): number {
    return this.#options.clock.now() + this.#offset;
  }

  /** Whether time can pass without waiting. */
  get movable(): boolean {
    return this.#options.control !== undefined;
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

  /** Learns the service's time from the `Date` of an answer, to the second. */
  learn(date: string | undefined): void {
    const at = Date.parse(date ?? '');
    if (Number.isNaN(at)) return;
    const difference = at - this.#options.clock.now();
    // Below two seconds it is rounding and travel.
    this.#offset = Math.abs(difference) < 2000 ? 0 : difference;
  }

  /**
   * Lets time pass at the service.
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
        `It takes ${needed} of waiting: move the service's clock (--control), or allow it with --patience ${needed}.`,
      );
    }
  }
}
