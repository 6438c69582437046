import type { CredentialPlace } from '../../agent/credentials/inspect-credential-file.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type {
  Clock,
  Fetch,
  Forward,
  ListenForRedirect,
  Random,
  Sleep,
} from '../../runtime/ports.ts';
import { systemClock, systemRandom, systemSleep } from '../../runtime/system.ts';
import { type Ask, createAsk } from '../terminal/ask.ts';
import { type OpenBrowser, openSystemBrowser } from '../terminal/browser.ts';
import { type StartChild, startSystemChild } from '../terminal/child.ts';
import type { Network } from './network.ts';
import type { Terminal } from './system-terminal.ts';

/** Everything outside the program, in one place. Tests hand in another one. */
export interface World extends Terminal {
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: Sleep;
  /** Its fetch loads what sends when it is first called: most commands start without undici. */
  readonly loadFetch: (network: Network) => Promise<Fetch>;
  /** What passes the requests of others on. */
  readonly loadForward: (network: Network) => Promise<Forward>;
  readonly openStore: () => Promise<CredentialStore>;
  /** How the place of the credential file looks; changes nothing. */
  readonly inspectCredentials: () => Promise<CredentialPlace>;
  readonly openBrowser: OpenBrowser;
  /** Where the browser brings the answer to a sign-in. */
  readonly listenForRedirect: ListenForRedirect;
  readonly ask: Ask;
  readonly startChild: StartChild;
  /** Nobody else's code runs in this process. */
  readonly ownsProcess: boolean;
}

export function systemWorld(terminal: Terminal): World {
  return {
    ...terminal,
    clock: systemClock,
    random: systemRandom,
    sleep: systemSleep,
    loadFetch: async (network) => {
      let loading: Promise<Fetch> | undefined;
      return async (url, init) => {
        loading ??= loadSystemFetch(network).catch((error: unknown) => {
          // Too many open files, perhaps: the next request tries again.
          loading = undefined;
          throw error;
        });
        return (await loading)(url, init);
      };
    },
    loadForward: async (network) => {
      const { createSystemForward } = await import('../../runtime/system-forward.ts');
      return createSystemForward(network);
    },
    openStore: async () => {
      const { openCredentialFile } = await import('../../agent/credentials/credential-file.ts');
      return openCredentialFile({ environment: terminal.environment.source });
    },
    inspectCredentials: async () => {
      const { inspectCredentialFile } = await import(
        '../../agent/credentials/inspect-credential-file.ts'
      );
      return inspectCredentialFile({ environment: terminal.environment.source });
    },
    openBrowser: openSystemBrowser,
    listenForRedirect: async (again) =>
      (await import('../../runtime/system-loopback.ts')).listenOnLoopback(again),
    ask: createAsk(terminal.streams),
    startChild: startSystemChild,
    ownsProcess: true,
  };
}

async function loadSystemFetch(network: Network): Promise<Fetch> {
  const { createSystemFetch } = await import('../../runtime/system-fetch.ts');
  return createSystemFetch(network);
}
