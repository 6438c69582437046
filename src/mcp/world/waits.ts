import type { WaitEvent } from '../../agent/index.ts';
import { describeDuration } from '../../protocol/index.ts';
import type { Clock, Sleep } from '../../runtime/index.ts';

type Listener = (event: WaitEvent) => void;

/**
 * The waits of this process, one for each that a user has to end: a second call of the same one would poll twice
 * in an interval. It listens to the first instead, and looks again when that has ended.
 */
export type Waits = Map<
  string,
  { readonly ended: Promise<void>; readonly listeners: Set<Listener> }
>;

interface World {
  readonly waits: Waits;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly limit: Sleep;
  readonly closed: AbortSignal;
}

/** What the host learns while a tool works. */
export interface Progress {
  /** Grows. */
  readonly progress: number;
  readonly total?: number;
  /** Our words. */
  readonly message: string;
}

/** A call whose host may wait for it. */
export interface Waiting {
  /** Aborted when the host cancels the call, or goes. */
  readonly signal: AbortSignal;
  /** Does nothing where the host asked for no progress. */
  readonly progress: (progress: Progress) => void;
}

/** What polls, as methods of the agent take it. */
interface Polling {
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly onEvent: Listener;
}

/** Hosts end a call after a minute, as a rule. Seconds. */
export const DEFAULT_WAIT = 45;

/** A wait that ends by itself is given that much more to say so. Milliseconds. */
const GRACE = 1000;

/** The time that one call waits for a user, and what its host hears of it. */
export class Patience {
  readonly #world: World;
  readonly #call: Waiting;
  readonly #span: number;
  readonly #end: number;
  #told = -1;

  constructor(world: World, call: Waiting, seconds = DEFAULT_WAIT) {
    this.#world = world;
    this.#call = call;
    this.#span = seconds * 1000;
    this.#end = world.clock.now() + this.#span;
  }

  /** Milliseconds. */
  left(): number {
    return Math.max(0, this.#end - this.#world.clock.now());
  }

  /**
   * @param key what is waited for.
   * @param poll called where nobody else polls for it. A poll that is not answered goes on when the call has ended:
   *   its answer may be the only one that holds the token.
   * @returns `undefined` once another wait for the same has ended, or the time is over: look again.
   */
  async wait<T>(key: string, poll: (polling: Polling) => Promise<T>): Promise<T | undefined> {
    const { waits, sleep, limit } = this.#world;
    const over = new AbortController();
    const pass = async (passing: Sleep, ms: number) => {
      const signal = AbortSignal.any([over.signal, this.#call.signal]);
      await passing(ms, signal).catch(() => {});
      return undefined;
    };
    const running = waits.get(key);
    const listeners = running?.listeners ?? new Set();
    listeners.add(this.#tell);
    try {
      if (running !== undefined) {
        await Promise.race([running.ended, pass(sleep, this.left())]);
        return undefined;
      }
      const outcome = poll(this.#polling(listeners));
      const end = () => void waits.delete(key);
      waits.set(key, { ended: outcome.then(end, end), listeners });
      // It ends by itself, unless a poll is not answered.
      return await Promise.race([outcome, pass(limit, this.left() + GRACE)]);
    } finally {
      over.abort();
      listeners.delete(this.#tell);
    }
  }

  /**
   * A call that is cancelled ends its polling between two polls: the answer to one that is under way may be the only
   * one that holds the token. Only where the host goes, that ends, too.
   */
  #polling(listeners: ReadonlySet<Listener>): Polling {
    const { clock, closed } = this.#world;
    const { signal } = this.#call;
    const stop = new AbortController();
    // The next poll is sent then; once it is past, one may be under way.
    let pollAt = Number.NEGATIVE_INFINITY;
    const stopBetween = () => {
      if (clock.now() < pollAt) stop.abort();
    };
    signal.addEventListener('abort', stopBetween, { once: true });
    return {
      timeout: this.left(),
      signal: AbortSignal.any([stop.signal, closed]),
      onEvent: (event) => {
        if (event.type === 'waiting') {
          pollAt = clock.now() + event.nextPollIn;
          if (signal.aborted) stop.abort();
        }
        for (const tell of listeners) tell(event);
      },
    };
  }

  readonly #tell = (event: WaitEvent): void => {
    const past = Math.round((this.#span - this.left()) / 1000);
    // Each has to be more than the one before.
    this.#told = Math.max(past, this.#told + 0.001);
    this.#call.progress({
      progress: this.#told,
      total: Math.round(this.#span / 1000),
      message: textOf(event),
    });
  };
}

function textOf(event: WaitEvent): string {
  switch (event.type) {
    case 'waiting':
      return `Waiting for the user; the code is good for ${describeDuration(Math.max(0, event.remaining))} more.`;
    case 'slow_down':
      return 'The server asked for fewer polls: waiting longer between them.';
    case 'trouble':
      return event.status === null
        ? 'No answer; trying again.'
        : `The server answered ${event.status}; trying again.`;
  }
}
