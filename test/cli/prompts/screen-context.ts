import { createMemoryStore } from '../../../src/agent/credentials/memory-store.ts';
import { createContext } from '../../../src/cli/shell/context.ts';
import { type EnvironmentSource, readEnvironment } from '../../../src/cli/shell/environment.ts';
import type { GlobalOptions } from '../../../src/cli/shell/global-options.ts';
import type { Ask } from '../../../src/cli/terminal/ask.ts';
import { FakeClock, fakeSleep, SeededRandom } from '../../../src/runtime/fake.ts';
import { memoryStreams } from '../support/memory-streams.ts';

export interface ScreenSetup {
  readonly tty?: boolean | undefined;
  readonly env?: EnvironmentSource | undefined;
  readonly options?: GlobalOptions | undefined;
  /** Why the launcher gives up. Default: it does not. */
  readonly launcher?: string | undefined;
}

/** What a screen is shown in: a terminal in memory and a browser that is told of, and nothing else of the machine. */
export function screenContext(setup: ScreenSetup, text: Ask['text'] = async () => '') {
  const environment = readEnvironment(
    { DISPLAY: ':0', ...setup.env },
    { platform: 'linux', inContainer: () => false },
  );
  const memory = memoryStreams(setup.tty ?? true, environment);
  const clock = new FakeClock();
  const opened: string[] = [];
  const interrupt = new AbortController();
  const context = createContext(
    {
      streams: memory.streams,
      environment,
      clock,
      random: new SeededRandom(),
      sleep: fakeSleep(clock),
      loadFetch: () => Promise.reject(new Error('no network here')),
      loadForward: () => Promise.reject(new Error('no network here')),
      listenForRedirect: () => Promise.reject(new Error('no network here')),
      openStore: async () => createMemoryStore(),
      inspectCredentials: () => Promise.reject(new Error('no files here')),
      openBrowser: async (url, onFailure) => {
        opened.push(url);
        if (setup.launcher !== undefined) onFailure(setup.launcher);
      },
      ask: { confirm: async () => true, select: async () => 'none', text },
      onStopSignal: () => () => {},
      ownsProcess: false,
      startChild: () => {
        throw new Error('nothing is run here');
      },
    },
    setup.options ?? {},
    { argv: [], interrupt, passSignalsTo: () => {}, runLine: async () => 0 },
  );
  return { context, clock, interrupt, memory, opened };
}
