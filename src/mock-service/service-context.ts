import type { Database, KeyRing, Sessions, Site } from '../mock/index.ts';
import type { Clock, Log, Random } from '../runtime/index.ts';
import type { IdentityAssertions } from './identity-assertion.ts';
import type { ServiceConfig } from './options.ts';
import type {
  EventStore,
  IdJagStore,
  RegistrationStore,
  TokenStore,
  UserStore,
} from './store/index.ts';
import type { JwtVerifier } from './trust/index.ts';

/** What the handlers work with. Made once by `createMockService`. */
export interface ServiceContext {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly db: Database;
  readonly keys: KeyRing;
  readonly assertions: IdentityAssertions;
  readonly verifier: JwtVerifier;
  /** Under which user codes are stored. */
  readonly userCodeKey: string;
  readonly registrations: RegistrationStore;
  readonly idJags: IdJagStore;
  readonly tokens: TokenStore;
  readonly events: EventStore;
  readonly users: UserStore;
  readonly sessions: Sessions;
  readonly site: Site;
}
