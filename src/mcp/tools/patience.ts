import type { WaitEvent } from '../../agent/index.ts';
import { describeDuration } from '../../protocol/index.ts';
import type { Sleep } from '../../runtime/index.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import type { ToolCall } from '../world/tool-call.ts';

/** A wait that ends by itself is given that much more to say so. Milliseconds. */
const GRACE = 1000;

/** The time that one call waits for a user, and what its host hears of it. */
export class Patience {
  readonly #world: McpWorld;
  readonly #call: ToolCall;
  readonly #span: number;
  readonly #end: number;
  /** Stops the polling. */
  readonly #stop = new AbortController();
  /** The next poll is sent then; once it is past, one may be under way. */
  #pollAt = Number.NEGATIVE_INFINITY;
  #told = -1;

  /** @param span milliseconds. */
  constructor(world: McpWorld, call: ToolCall, span: number) {
    this.#world = world;
    this.#call = call;
    this.#span = span;
    this.#end = world.clock.now() + span;
    const stop = () => {
      if (world.clock.now() < this.#pollAt) this.#stop.abort();
    };
    call.signal.addEventListener('abort', stop, { once: true });
  }

  /** Milliseconds. */
  left(): number {
    return Math.max(0, this.#end - this.#world.clock.now());
  }

  /**
   * Ends the polling of a call that is cancelled, between two polls: the answer to one that is under way may be the
   * only one that holds the token. Only where the host goes, that ends, too.
   */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#stop.signal, this.#world.closed]);
  }

  /** What the polling has to tell its events to, so that it is known when it polls. */
  readonly watch =
    (listener: (event: WaitEvent) => void) =>
    (event: WaitEvent): void => {
      if (event.type === 'waiting') {
        this.#pollAt = this.#world.clock.now() + event.nextPollIn;
        if (this.#call.signal.aborted) this.#stop.abort();
      }
      listener(event);
    };

  /** Resolves when the time is over, or the call is, or what it is needed for. */
  readonly over = (ended: AbortSignal): Promise<undefined> =>
    this.#pass(this.#world.sleep, this.left(), ended);

  /** Resolves when a wait that should have ended by itself has not. */
  readonly limit = (ended: AbortSignal): Promise<undefined> =>
    this.#pass(this.#world.limit, this.left() + GRACE, ended);

  async #pass(sleep: Sleep, ms: number, ended: AbortSignal): Promise<undefined> {
    const signal = AbortSignal.any([ended, this.#call.signal]);
    await sleep(ms, signal).catch(() => {});
    return undefined;
  }

  readonly listener = (event: WaitEvent): void => {
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
