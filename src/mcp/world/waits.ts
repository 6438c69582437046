import type { ClaimOutcome, ProviderLoginOutcome, WaitEvent } from '../../agent/index.ts';

type Ended = ClaimOutcome | ProviderLoginOutcome;

/** How long a call waits. Each resolves when that is over, or its signal is aborted. */
interface Patience {
  readonly over: (signal: AbortSignal) => Promise<undefined>;
  readonly limit: (signal: AbortSignal) => Promise<undefined>;
}

interface Wait {
  readonly ended: Promise<unknown>;
  readonly listeners: Set<(event: WaitEvent) => void>;
}

/**
 * The waits of this process, one for each that a user has to end: a second call of the same one would poll twice
 * in an interval. It listens to the first instead, and looks again when that has ended.
 */
export class Waits {
  readonly #running = new Map<string, Wait>();

  /**
   * @param key what is waited for.
   * @param wait polls; called where nobody else does. A poll that is not answered goes on when the call has ended: its
   *   answer may be the only one that holds the token.
   * @param patience `over` is for a call that listens, `limit` for the one that polls: its wait ends by itself, unless
   *   a poll is not answered.
   * @returns `undefined` once another wait for the same has ended, or the time is over: look again.
   */
  async run<T extends Ended>(
    key: string,
    listener: (event: WaitEvent) => void,
    wait: (onEvent: (event: WaitEvent) => void) => Promise<T>,
    patience: Patience,
  ): Promise<T | undefined> {
    const over = new AbortController();
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.listeners.add(listener);
      await Promise.race([running.ended, patience.over(over.signal)]);
      running.listeners.delete(listener);
      over.abort();
      return undefined;
    }
    const listeners = new Set([listener]);
    const outcome = wait((event) => {
      for (const each of listeners) each(event);
    });
    const end = () => void this.#running.delete(key);
    this.#running.set(key, { ended: outcome.then(end, end), listeners });
    try {
      return await Promise.race([outcome, patience.limit(over.signal)]);
    } finally {
      over.abort();
      listeners.delete(listener);
    }
  }
}
