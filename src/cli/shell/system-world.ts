import { systemClock, systemRandom, systemSleep } from '../../runtime/system.ts';
import { createAsk } from '../terminal/ask.ts';
import { openSystemBrowser } from '../terminal/browser.ts';
import { startSystemChild } from '../terminal/child.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { World } from './world.ts';

export function systemWorld(terminal: Terminal): World {
  return {
    ...terminal,
    clock: systemClock,
    random: systemRandom,
    sleep: systemSleep,
    loadFetch: async (network) =>
      (await import('../../runtime/system-fetch.ts')).createSystemFetch(network),
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
    ask: createAsk(terminal.streams),
    startChild: startSystemChild,
  };
}
