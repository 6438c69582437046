import type { Sleep } from '../../runtime/ports.ts';

/** What a mock waits with that answers late. */
export class Delay {
  readonly #sleep: Sleep | undefined;
  readonly #closing = new AbortController();

  /** @param sleep left out: nothing is waited for. */
  constructor(sleep: Sleep | undefined) {
    this.#sleep = sleep;
  }

  /** Waits until the time is over, whoever asked is gone, or the mock closes. */
  async wait(ms: number, gone: AbortSignal): Promise<void> {
    await this.#sleep?.(ms, AbortSignal.any([gone, this.#closing.signal])).catch(() => {});
  }

  /** Ends what waits, and whatever would. */
  close(): void {
    this.#closing.abort();
  }
}
