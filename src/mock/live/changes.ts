import type { Clock, Sleep } from '../../runtime/ports.ts';

interface ChangesOptions {
  /** Of the machine. */
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Listeners are told at most this often, in milliseconds. */
  readonly pause: number;
  /** They are told at least this often, in milliseconds: what another process changed tells nobody. */
  readonly beat: number;
  /** Called when the first one listens. @returns ends it, called when the last one is gone. */
  readonly watch: (changed: () => void) => () => void;
}

/** Tells that something may have changed, seldom enough to look after it each time. While nobody listens it does nothing. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #listeners = new Set<() => void>();
  #end: AbortController | undefined;
  #unwatch: () => void = () => {};
  #isTelling = false;
  #told = Number.NEGATIVE_INFINITY;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** @returns ends it. */
  follow(listener: () => void): () => void {
    // One that listens twice is told twice.
    const own = () => listener();
    this.#listeners.add(own);
    if (this.#end === undefined) {
      this.#end = new AbortController();
      this.#unwatch = this.#options.watch(() => this.changed());
      void this.#beat(this.#end.signal);
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0 || this.#end === undefined) return;
      this.#end.abort();
      this.#end = undefined;
      this.#unwatch();
    };
  }

  changed(): void {
    const { clock, pause, sleep } = this.#options;
    const end = this.#end;
    if (end === undefined || this.#isTelling) return;
    const wait = this.#told + pause - clock.now();
    if (wait <= 0) {
      this.#tell();
      return;
    }
    this.#isTelling = true;
    const done = () => {
      this.#isTelling = false;
    };
    void sleep(wait, end.signal).then(() => {
      done();
      this.#tell();
    }, done);
  }

  #tell(): void {
    this.#told = this.#options.clock.now();
    for (const listener of this.#listeners) listener();
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const { beat, sleep } = this.#options;
    try {
      while (!signal.aborted) {
        await sleep(beat, signal);
        this.changed();
      }
    } catch {
      // Nobody listens any more.
    }
  }
}
