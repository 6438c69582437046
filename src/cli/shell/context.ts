import { displayJson } from '../../protocol/text.ts';
import { fetchUnfollowed } from '../../runtime/fetch-unfollowed.ts';
import { type Clock, type ConnectGuard, type Fetch, NetworkError } from '../../runtime/ports.ts';
import type { ProxyFor } from '../../runtime/proxy.ts';
import { spinWhileWaiting } from '../terminal/spinner.ts';
import { canAsk, type Sink } from '../terminal/streams.ts';
import type { Ending } from './exit-codes.ts';
import { type GlobalOptions, outputOptions } from './global-options.ts';
import type { AuthorityFile } from './network.ts';
import { Output } from './output.ts';
import { redactUrl } from './redact-url.ts';
import { SCHEMAS } from './schemas.ts';
import type { StopSignal } from './system-terminal.ts';
import type { World } from './world.ts';

/** What one run of the program is given. */
interface Session {
  /** The words as typed, without node and script. */
  readonly argv: readonly string[];
  /** Aborted by Ctrl-C; everything that waits takes its signal. */
  readonly interrupt: AbortController;
  /** Passes the signals that would end the program to `listener` from now on. */
  readonly passSignalsTo: (listener: (signal: StopSignal) => void) => void;
  /** Runs another command line of this program in the same world, and resolves to its exit code. */
  readonly runLine: (argv: readonly string[]) => Promise<number>;
  /** The authorities of the context that this one is made from. */
  readonly authorities?: Context['authorities'];
  readonly about?: About;
}

/** The service that a command turned out to use, for its next steps. */
interface About {
  /** The service as typed or as stored, without a query. `undefined`: not known yet, or none. */
  service?: string;
}

/** The world, the options and the output of one command. */
export interface Context extends Session {
  readonly world: World;
  readonly options: GlobalOptions;
  readonly output: Output;
  readonly clocks: ServerClocks;
  readonly about: About;
  /** Whether the user can be asked: a terminal at both ends, and no `--json`. */
  readonly canAsk: boolean;
  /** The file of `--ca`, read once: it may be a FIFO. @throws CliError (usage) when it is invalid. */
  readonly authorities: () => Promise<AuthorityFile | undefined>;
  /**
   * @param trusted CA certificates to trust in addition to those of `--ca`, as PEM.
   * @param guard asked about each IP address before a connection.
   */
  readonly fetch: (trusted?: string, guard?: ConnectGuard) => Promise<Fetch>;
  /** A command line that can be pasted: how this program was called, then `rest`. */
  readonly line: (rest: string) => string;
}

/** The clocks of services and providers, as the agent of this run has seen them: the ends that are printed go by them. */
class ServerClocks {
  readonly #local: Clock;
  #agent: { now(issuer: string): number } | undefined;

  constructor(local: Clock) {
    this.#local = local;
  }

  follow(agent: { now(issuer: string): number }): void {
    this.#agent = agent;
  }

  /** Milliseconds since the epoch, on the clock of `issuer`. */
  now(issuer: string): number {
    return this.#agent?.now(issuer) ?? this.#local.now();
  }
}

/** A command's work. It ends with an outcome, or throws a `CliError`. */
type Work = (context: Context) => Promise<Ending>;

/** Runs a command's work once the command line is understood; its outcome becomes the exit code. */
export type Run = (work: Work) => Promise<void>;

/** The error with the origin it is about: the user may not have typed one. */
function named(error: unknown, url: string): unknown {
  if (!(error instanceof NetworkError) || error.code === 'proxy') return error;
  const text = `${new URL(url).origin}: ${error.message}`;
  return new NetworkError(error.code, text, { cause: error });
}

async function readCa(ca: string | undefined, signal: AbortSignal) {
  if (ca === undefined) return undefined;
  return (await import('./network.ts')).readAuthorities(ca, signal);
}

export function createContext(world: World, options: GlobalOptions, session: Session): Context {
  const { interrupt } = session;
  const output = new Output(world.streams, outputOptions(options));
  let reading: Promise<AuthorityFile | undefined> | undefined;
  const readOnce = () => {
    reading ??= readCa(options.ca, interrupt.signal);
    return reading;
  };
  const { authorities = readOnce } = session;
  let fetching: Promise<Fetch> | undefined;
  const loadFetch = async (trusted?: string, guard?: ConnectGuard): Promise<Fetch> => {
    const { readNetwork } = await import('./network.ts');
    const network = readNetwork(world.environment.source, await authorities());
    const ca = trusted === undefined ? network.ca : [...network.ca, trusted];
    const loaded = await world.loadFetch({ ...network, ca, guard });
    let shown: Fetch | undefined;
    const fetch: Fetch = (url, init) => {
      shown ??= output.interactive ? spinWhileWaiting(loaded, world.streams.stderr) : loaded;
      return shown(url, init);
    };
    const interruptible: Fetch = async (url, init = {}) => {
      const signal = init.signal
        ? AbortSignal.any([init.signal, interrupt.signal])
        : interrupt.signal;
      try {
        return await fetchUnfollowed(fetch, url, { ...init, signal });
      } catch (error) {
        throw named(error, url);
      }
    };
    return options.debug
      ? traceFetch(interruptible, {
          clock: world.clock,
          stderr: world.streams.stderr,
          json: output.json,
          proxyFor: network.proxyFor,
        })
      : interruptible;
  };
  return {
    world,
    options,
    output,
    clocks: new ServerClocks(world.clock),
    ...session,
    authorities,
    about: session.about ?? {},
    // Asked for when needed: each stream that is opened costs the start.
    get canAsk() {
      return !output.json && canAsk(world.streams);
    },
    fetch: (trusted, guard) => {
      if (trusted !== undefined || guard !== undefined) return loadFetch(trusted, guard);
      fetching ??= loadFetch();
      return fetching;
    },
    line: (rest) => `${world.environment.programName} ${rest}`,
  };
}

interface Trace {
  readonly clock: Clock;
  readonly stderr: Sink;
  readonly json: boolean;
  readonly proxyFor: ProxyFor;
}

/**
 * The fetch port, with a line on stderr for each exchange: method, URL, proxy, status, duration. Headers
 * and bodies are not read, so no secret can appear in it.
 */
export function traceFetch(fetch: Fetch, { clock, stderr, json, proxyFor }: Trace): Fetch {
  return async (url, init) => {
    const method = init?.method ?? 'GET';
    const start = clock.now();
    const report = (result: string) => {
      const ms = clock.now() - start;
      const shown = redactUrl(url);
      const proxy = proxyFor(url)?.host;
      const through = proxy === undefined ? '' : ` through ${proxy}`;
      stderr.write(
        json
          ? `${displayJson(JSON.stringify({ schema: SCHEMAS.debug, method, address: shown, proxy: proxy ?? null, result, ms }))}\n`
          : `${stderr.style.dim(`debug  ${method} ${shown}${through} → ${result} (${ms} ms)`)}\n`,
      );
    };
    try {
      const response = await fetch(url, init);
      report(String(response.status));
      return response;
    } catch (error) {
      report(error instanceof NetworkError ? error.code : 'failed');
      throw error;
    }
  };
}
