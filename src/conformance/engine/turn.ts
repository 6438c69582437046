import { type Clock, startDeadline } from '../../runtime/index.ts';
import type { Lane } from './lane.ts';

/** A scenario was left, and does nothing more. */
class TurnOver extends Error {
  override readonly name = 'TurnOver';
}

/** Lets other scenarios run during a wait. */
export interface Waiter {
  /** @param wait Sends nothing that is judged. */
  away<T>(wait: () => Promise<T>): Promise<T>;
}

interface TurnOptions {
  readonly clock: Clock;
  /** Milliseconds that it may take: waits, and what others do meanwhile, do not count. */
  readonly limit: number;
  /** The signal of the run. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it keeps the lane while it waits. */
  readonly alone: boolean;
}

/** A run of a scenario: it has the lane when it begins and when it ends. */
export class Turn implements Waiter {
  readonly #lane: Lane;
  readonly #options: TurnOptions;
  readonly #over = new AbortController();
  readonly #stop = () => this.#over.abort();
  #left: number;
  #since = 0;
  #isInside = true;
  #waits = 0;
  #idle = 0;
  #returning: Promise<void> | undefined;
  #endDeadline = () => {};

  constructor(lane: Lane, options: TurnOptions) {
    this.#lane = lane;
    this.#options = options;
    this.#left = options.limit;
    lane.stops.add(this.#stop);
    if (options.signal?.aborted === true) this.#stop();
    this.#resume();
  }

  /** Aborted when its time is over, or the run. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Milliseconds that it could have gone on while others had the lane. */
  get idle(): number {
    return this.#idle;
  }

  /** Rejects as the wait does, or when the scenario was left meanwhile. */
  async away<T>(wait: () => Promise<T>): Promise<T> {
    this.#mustGoOn();
    if (this.#waits === 0) this.#pause();
    this.#waits += 1;
    if (this.#isInside && !this.#options.alone) {
      this.#isInside = false;
      this.#lane.leave();
    }
    try {
      return await wait();
    } finally {
      await this.#comeBack();
      this.#waits -= 1;
      if (this.#waits === 0) this.#resume();
      this.#mustGoOn();
    }
  }

  /** Resolves when it has the lane, to give it to whoever is next. */
  async end(): Promise<void> {
    this.#endDeadline();
    this.#lane.stops.delete(this.#stop);
    if (this.#options.signal?.aborted !== true) await this.#comeBack();
    this.#stop();
  }

  /** Where a scenario waits for several things, the first of them comes back for all. */
  async #comeBack(): Promise<void> {
    if (this.#isInside || this.#over.signal.aborted) return;
    this.#returning ??= this.#return();
    await this.#returning;
  }

  async #return(): Promise<void> {
    const ready = this.#options.clock.now();
    await this.#lane.comeBack();
    this.#isInside = true;
    this.#returning = undefined;
    this.#idle += this.#options.clock.now() - ready;
  }

  #mustGoOn(): void {
    if (this.#over.signal.aborted) throw new TurnOver('The scenario was left.');
  }

  #pause(): void {
    this.#endDeadline();
    this.#left -= this.#options.clock.now() - this.#since;
  }

  #resume(): void {
    if (this.#over.signal.aborted) return;
    this.#since = this.#options.clock.now();
    const deadline = startDeadline(Math.max(0, this.#left));
    deadline.signal.addEventListener('abort', this.#stop, { once: true });
    this.#endDeadline = () => {
      deadline.signal.removeEventListener('abort', this.#stop);
      deadline.end();
    };
  }
}
