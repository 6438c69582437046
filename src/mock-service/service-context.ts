import type { Database, Faults, KeyRing, Sessions, Site } from '../mock/index.ts';
import type { Clock, Log, Random } from '../runtime/index.ts';
import type { Moment } from './claim-machine/index.ts';
import type { ServiceFault } from './faults/index.ts';
import type { IdentityAssertions } from './identity-assertion.ts';
import type { ServiceConfig } from './options.ts';
import type {
  EventStore,
  IdJagStore,
  RegistrationStore,
  TokenStore,
  UserStore,
} from './store/index.ts';
import type { JwtVerifier, TrustList } from './trust/index.ts';

/** What the handlers work with. Made once by `createMockService`. */
export interface ServiceContext {
  readonly config: ServiceConfig;
  /** The mock's own time: the machine's, moved as the controls say. */
  readonly clock: Clock;
  /** What a decision of the claim machine is made by, now. */
  readonly moment: () => Moment;
  /** What the mock does wrong on purpose. */
  readonly faults: Faults<ServiceFault>;
  readonly random: Random;
  readonly log: Log;
  readonly db: Database;
  readonly keys: KeyRing;
  readonly assertions: IdentityAssertions;
  readonly trust: TrustList;
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
  /** Names that ID-JAGs say, by registration: what a fault shows in place of the trust list's. */
  readonly tokenNames: Map<string, string>;
}
