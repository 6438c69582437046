import type { CredentialPlace } from '../../agent/credentials/inspect-credential-file.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { Clock, Fetch, Random, Sleep } from '../../runtime/ports.ts';
import type { Ask } from '../terminal/ask.ts';
import type { OpenBrowser } from '../terminal/browser.ts';
import type { StartChild } from '../terminal/child.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Network } from './network.ts';

/** Everything outside the program, in one place. Tests hand in another one. */
export interface World extends Terminal {
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: Sleep;
  /** Loaded when first needed: undici is a third of the start. */
  readonly loadFetch: (network: Network) => Promise<Fetch>;
  readonly openStore: () => Promise<CredentialStore>;
  /** How the place of the credential file looks; changes nothing. */
  readonly inspectCredentials: () => Promise<CredentialPlace>;
  readonly openBrowser: OpenBrowser;
  readonly ask: Ask;
  readonly startChild: StartChild;
}
