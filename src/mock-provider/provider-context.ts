import type { KeyRing, Sessions, Site } from '../mock/index.ts';
import type { Clock, Log, Random } from '../runtime/index.ts';
import type { ConsentStore } from './consent/consent-store.ts';
import type { DeviceStore } from './device/device-store.ts';
import type { IdTokens } from './id-tokens.ts';
import type { ProviderConfig } from './options.ts';
import type { UserStore } from './store/user-store.ts';

/** What the handlers work with. Made once by `createMockProvider`. */
export interface ProviderContext {
  readonly config: ProviderConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keys: KeyRing;
  readonly site: Site;
  readonly sessions: Sessions;
  readonly users: UserStore;
  readonly devices: DeviceStore;
  readonly consents: ConsentStore;
  readonly idTokens: IdTokens;
  /** Under which user codes are stored. */
  readonly userCodeKey: string;
}
