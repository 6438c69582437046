import type { ClaimOutcome, ProviderLoginOutcome, WaitEvent } from '../../agent/index.ts';

type Ended = ClaimOutcome | ProviderLoginOutcome;

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
   * @param wait polls; called where nobody else does.
   * @param patience resolves when the call waits no longer; called where somebody else polls. Its signal: the
   *   other wait has ended.
   * @returns `undefined` once another wait for the same has ended: look again.
   */
  async run<T extends Ended>(
    key: string,
    listener: (event: WaitEvent) => void,
    wait: (onEvent: (event: WaitEvent) => void) => Promise<T>,
    patience: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<T | undefined> {
    const running = this.#running.get(key);
    if (running !== undefined) {
      const over = new AbortController();
      running.listeners.add(listener);
      await Promise.race([running.ended, patience(over.signal)]);
      running.listeners.delete(listener);
      over.abort();
      return undefined;
    }
    const listeners = new Set([listener]);
    const outcome = wait((event) => {
      for (const each of listeners) each(event);
    });
    const ended = outcome.then(
      () => {},
      () => {},
    );
    this.#running.set(key, { ended, listeners });
    try {
      return await outcome;
    } finally {
      this.#running.delete(key);
    }
  }
}
