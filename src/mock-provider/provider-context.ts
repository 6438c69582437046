import type { Faults, KeyRing, Sessions, Site } from '../mock/index.ts';
import type { Clock, Log, Random } from '../runtime/index.ts';
import type { ConsentStore } from './consent/consent-store.ts';
import type { DeviceStore } from './device/device-store.ts';
import type { ProviderFault } from './faults/index.ts';
import type { IdTokens } from './id-tokens.ts';
import type { ProviderConfig } from './options.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { UserStore } from './store/user-store.ts';

/** What the handlers work with. Made once by `createMockProvider`. */
export interface ProviderContext {
  readonly config: ProviderConfig;
  /** The mock's own time: the machine's, moved as the controls say. */
  readonly clock: Clock;
  /** What the mock does wrong on purpose. */
  readonly faults: Faults<ProviderFault>;
  readonly random: Random;
  readonly log: Log;
  readonly keys: KeyRing;
  readonly site: Site;
  readonly sessions: Sessions;
  readonly users: UserStore;
  readonly devices: DeviceStore;
  readonly consents: ConsentStore;
  readonly outbox: Outbox;
  readonly idTokens: IdTokens;
  /** Under which user codes are stored. */
  readonly userCodeKey: string;
}
