import type { CredentialPlace } from '../../../src/agent/credentials/inspect-credential-file.ts';
import { createMemoryStore } from '../../../src/agent/credentials/memory-store.ts';
import type { CredentialStore } from '../../../src/agent/credentials/store.ts';
import { main } from '../../../src/cli/main.ts';
import { type EnvironmentSource, readEnvironment } from '../../../src/cli/shell/environment.ts';
import type { Network } from '../../../src/cli/shell/network.ts';
import type { StopSignal } from '../../../src/cli/shell/system-terminal.ts';
import type { World } from '../../../src/cli/shell/world.ts';
import type { StartChild } from '../../../src/cli/terminal/child.ts';
import { Interrupted } from '../../../src/cli/terminal/interrupted.ts';
import { FakeClock, fakeSleep, SeededRandom } from '../../../src/runtime/fake.ts';
import {
  type Fetch,
  type Forward,
  NetworkError,
  type Random,
  type Sleep,
} from '../../../src/runtime/ports.ts';
import { FakeLoopback } from '../../support/fake-loopback.ts';
import { checkDocumented } from './check-documented.ts';
import { checkNextSteps } from './check-next-steps.ts';
import { checkPublished } from './check-published.ts';
import { type Broken, type MemoryStreams, memoryStreams } from './memory-streams.ts';

export type Handler = (request: Request) => Promise<Response> | Response;

export interface Machine {
  readonly clock: FakeClock;
  readonly store: CredentialStore;
  /** Servers by origin. What is not here refuses the connection, unless there is a network. */
  readonly servers: Map<string, Handler>;
  readonly network?: Fetch;
  /** Makes the network by the options of the line, in place of everything above. */
  readonly connect?: (network: Network) => Fetch;
  /** Passes requests on, of the proxy. */
  readonly forward?: Forward;
  /** What happens in the world while the program sleeps. */
  onSleep: ((ms: number) => void | Promise<void>) | undefined;
  /** Where a browser brings the answer to a sign-in. */
  readonly loopback: FakeLoopback;
}

export function newMachine(): Machine {
  return {
    clock: new FakeClock(),
    store: createMemoryStore(),
    servers: new Map(),
    onSleep: undefined,
    loopback: new FakeLoopback(),
  };
}

/** Ctrl-C in place of an answer. */
export const INTERRUPT = '\u0003';

export interface RunOptions {
  readonly tty?: boolean;
  readonly env?: EnvironmentSource;
  readonly broken?: Broken;
  /** Text on stdin, then its end. */
  readonly stdin?: string;
  /** Answers to questions, in order; a missing one fails the test. {@link INTERRUPT} is Ctrl-C. */
  readonly answers?: readonly (boolean | string)[];
  readonly credentialPlace?: Partial<CredentialPlace>;
  /** What running another program does. Default: there is none. */
  readonly startChild?: StartChild;
  /** Default: one that draws the same in each run. */
  readonly random?: Random;
  /** Default: the clock of the machine moves at once. */
  readonly sleep?: Sleep;
  /** What a browser does with what is opened in it. */
  readonly openBrowser?: (url: string) => Promise<void>;
  /** Runs as soon as the program has started; may press keys or stop it. */
  readonly meanwhile?: (live: Live) => void;
}

export interface Live extends MemoryStreams {
  readonly stop: (signal?: StopSignal) => void;
  readonly opened: readonly string[];
}

export interface Run {
  readonly code: number;
  /** Without escape codes. */
  readonly stdout: string;
  readonly stderr: string;
  readonly streams: MemoryStreams;
  /** URLs that were opened in the browser. */
  readonly opened: readonly string[];
  readonly asked: readonly string[];
  /** Each line of stdout as JSON. */
  json(): Record<string, unknown>[];
}

/**
 * Runs one command line inside this process: no port, no file, no clock of the machine. Rejects where it
 * prints a next step that this program would not understand, and where it ends or prints in a way that the page of
 * its command does not list.
 */
export async function runCli(
  machine: Machine,
  line: readonly string[],
  options: RunOptions = {},
): Promise<Run> {
  const environment = readEnvironment(
    { DISPLAY: ':0', XDG_RUNTIME_DIR: '/nonexistent', ...options.env },
    { platform: 'linux', inContainer: () => false },
  );
  const memory = memoryStreams(options.tty === true, environment, options.broken);
  if (options.tty !== true) memory.stdin.end(options.stdin ?? '');
  const opened: string[] = [];
  const asked: string[] = [];
  const answers = [...(options.answers ?? [])];
  const answer = (question: string): boolean | string => {
    asked.push(question);
    const next = answers.shift();
    if (next === undefined) throw new Error(`Nobody answers: ${question}`);
    if (next === INTERRUPT) throw new Interrupted();
    return next;
  };
  let stop = (_signal: StopSignal) => {};
  const world: World = {
    streams: memory.streams,
    environment,
    clock: machine.clock,
    random: options.random ?? new SeededRandom(),
    sleep: options.sleep ?? fakeSleep(machine.clock, (ms) => machine.onSleep?.(ms)),
    loadFetch: async (network) =>
      machine.connect?.(network) ?? routeTo(machine.servers, machine.network),
    loadForward: async () => {
      if (machine.forward === undefined) throw new Error('This machine passes nothing on.');
      return machine.forward;
    },
    ownsProcess: false,
    openStore: async () => machine.store,
    inspectCredentials: async () => ({
      folder: '/home/me/.config/agent-auth',
      path: '/home/me/.config/agent-auth/credentials.json',
      folderMode: 0o700,
      fileMode: 0o600,
      writable: true,
      lock: 'free',
      ...options.credentialPlace,
    }),
    listenForRedirect: machine.loopback.listen,
    openBrowser: async (url) => {
      opened.push(url);
      await options.openBrowser?.(url);
    },
    ask: {
      confirm: async (question) => answer(question) === true,
      text: async (question, problem) => {
        const text = String(answer(question));
        const wrong = problem(text);
        if (wrong !== undefined) throw new Error(wrong);
        return text;
      },
      select: async (question, choices) => {
        const value = String(answer(question));
        if (choices.some((choice) => choice.value === value)) return value;
        throw new Error(`${value} is none of ${choices.map((choice) => choice.value).join(', ')}`);
      },
    },
    startChild:
      options.startChild ??
      (() => ({ ended: Promise.resolve({ status: 'not_found' }), send: () => {} })),
    onStopSignal: (listener) => {
      stop = listener;
      return () => {
        stop = () => {};
      };
    },
  };
  const running = main(line, world);
  options.meanwhile?.({ ...memory, stop: (signal = 'SIGINT') => stop(signal), opened });
  const code = await running;
  const printed = { stdout: memory.stdout.text, stderr: memory.stderr.text };
  await checkNextSteps(printed, environment.programName);
  checkDocumented(line, { code, stdout: printed.stdout });
  if (/^\{"schema":"/m.test(printed.stdout)) checkPublished(printed.stdout);
  return {
    code,
    stdout: memory.stdout.text,
    stderr: memory.stderr.text,
    streams: memory,
    opened,
    asked,
    json: () =>
      memory.stdout.text
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => JSON.parse(text) as Record<string, unknown>),
  };
}

export function routeTo(servers: ReadonlyMap<string, Handler>, network?: Fetch): Fetch {
  return async (url, init = {}) => {
    init.signal?.throwIfAborted();
    const handler = servers.get(new URL(url).origin);
    if (handler === undefined && network !== undefined) return network(url, init);
    if (handler === undefined) throw new NetworkError('refused', 'Nothing listens there.');
    const { body, ...rest } = init;
    return handler(new Request(url, { ...rest, ...(body !== undefined && { body }) }));
  };
}
