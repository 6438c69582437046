import { SECOND } from '../../protocol/index.ts';
import type { Clock, Log, Sleep } from '../../runtime/index.ts';
import type { Outbox } from './outbox.ts';

/** While something is pending: another process, or a clock that was moved, may have made it due. */
const LONGEST_REST = 5 * SECOND;

interface CourierOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Log;
}

/**
 * Empties the outbox in the background, from its making until it is closed. With nothing pending it
 * rests until it is woken, so an idle provider does nothing at all.
 */
export class Courier {
  readonly #options: CourierOptions;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  #lastRound = 0;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#done = this.#run().catch(() => options.log.warn('provider.outbox_stopped'));
  }

  /** Something happened: perhaps there is work that another process left. Costs next to nothing. */
  nudge(): void {
    const { clock, outbox } = this.#options;
    if (Math.abs(clock.now() - this.#lastRound) >= LONGEST_REST) outbox.waiting.ring();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { clock, outbox, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      // Before the round, so that what is left for later meanwhile is not overlooked.
      const woken = outbox.waiting.next();
      this.#lastRound = clock.now();
      let rest: number | undefined = LONGEST_REST;
      try {
        await outbox.deliverDue(signal);
        rest = await outbox.untilDue();
      } catch (error) {
        log.warn('provider.outbox_trouble', {
          name: error instanceof Error ? error.name : typeof error,
        });
      }
      await this.#rest(rest, woken);
    }
  }

  async #rest(ms: number | undefined, woken: Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    const up = new AbortController();
    const stop = AbortSignal.any([signal, up.signal]);
    const waits = [woken, aborted(stop)];
    if (ms !== undefined) {
      const slept = this.#options.sleep(Math.min(ms, LONGEST_REST), stop);
      waits.push(slept.catch(() => {}));
    }
    await Promise.race(waits);
    up.abort();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
