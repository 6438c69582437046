import { SECOND } from '../../protocol/index.ts';
import type { Clock, Log, Sleep } from '../../runtime/index.ts';
import type { Outbox } from './outbox.ts';

/** While something is pending: another process, or a clock that was moved, may have made it due. */
const LONGEST_REST = 5 * SECOND;

interface OutboxWorkerOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Log;
}

/**
 * Sends what is due in the background, until it is closed. With nothing pending it waits to be woken, so
 * an idle provider does nothing.
 */
export class OutboxWorker {
  readonly #options: OutboxWorkerOptions;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  #lastRound = 0;

  constructor(options: OutboxWorkerOptions) {
    this.#options = options;
    this.#done = this.#run().catch(() => options.log.warn('provider.outbox_stopped'));
  }

  /** A request came in: there may be work that another process left. Cheap. */
  nudge(): void {
    const { clock, outbox } = this.#options;
    if (Math.abs(clock.now() - this.#lastRound) >= LONGEST_REST) outbox.waiting.wake();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { clock, outbox, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      // Before the round, so that events queued meanwhile are not missed.
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
