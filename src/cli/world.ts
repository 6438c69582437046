import type { CredentialStore } from '../agent/credentials/store.ts';
import type { Clock, Fetch, Random, Sleep } from '../runtime/ports.ts';
import type { Ask } from './terminal/ask.ts';
import type { OpenBrowser } from './terminal/browser.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Everything outside the program, in one place. Tests hand in another one. */
export interface World extends Terminal {
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: Sleep;
  /** Loaded when first needed: undici is a third of the start. */
  readonly loadFetch: () => Promise<Fetch>;
  readonly openStore: () => Promise<CredentialStore>;
  readonly openBrowser: OpenBrowser;
  readonly ask: Ask;
}
