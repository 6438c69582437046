import type { Fetch } from '../runtime/ports.ts';
import { traceFetch } from './debug.ts';
import type { Outcome } from './exit-codes.ts';
import { Output } from './output.ts';
import { canAsk } from './terminal/streams.ts';
import type { World } from './world.ts';

/** The options that every command takes. */
export interface GlobalOptions {
  readonly json?: true;
  readonly quiet?: true;
  readonly debug?: true;
  readonly yes?: true;
  readonly strict?: true;
  readonly service?: string;
  readonly allowOrigin?: readonly string[];
}

/** What a command works with. */
export interface Context {
  readonly world: World;
  readonly options: GlobalOptions;
  readonly output: Output;
  /** Aborted by Ctrl-C; everything that waits takes its signal. */
  readonly interrupt: AbortController;
  /** Whether a person can be asked: a terminal at both ends, and not `--json`. */
  readonly canAsk: boolean;
  readonly fetch: () => Promise<Fetch>;
  /** A command line that can be pasted: how this program was called, then `rest`. */
  readonly line: (rest: string) => string;
}

/** A command's work. It ends with an outcome, or throws a `CliError`. */
export type Work = (context: Context) => Promise<Outcome>;

export function createContext(
  world: World,
  options: GlobalOptions,
  interrupt: AbortController,
): Context {
  const output = new Output(world.streams, {
    json: options.json === true,
    quiet: options.quiet === true,
  });
  let fetching: Promise<Fetch> | undefined;
  const loadFetch = async (): Promise<Fetch> => {
    const fetch = await world.loadFetch();
    const interruptible: Fetch = (url, init = {}) =>
      fetch(url, {
        ...init,
        signal: init.signal ? AbortSignal.any([init.signal, interrupt.signal]) : interrupt.signal,
      });
    return options.debug
      ? traceFetch(interruptible, world.clock, world.streams.stderr, output.json)
      : interruptible;
  };
  return {
    world,
    options,
    output,
    interrupt,
    canAsk: !output.json && canAsk(world.streams),
    fetch: () => {
      fetching ??= loadFetch();
      return fetching;
    },
    line: (rest) => `${world.environment.programName} ${rest}`,
  };
}
