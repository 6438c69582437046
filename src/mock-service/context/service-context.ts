import type { DescribedClients } from '../../mock/clients/authenticate-client.ts';
import type { Delay } from '../../mock/http/delay.ts';
import type { Route } from '../../mock/http/request.ts';
import type { KeyRing } from '../../mock/keys/key-ring.ts';
import type { Sessions } from '../../mock/sessions/sessions.ts';
import type { Database } from '../../mock/store/database.ts';
import type { Clock, Log, Random } from '../../runtime/ports.ts';
import type { Secrets } from '../claim-secrets/attempt-secrets.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServiceDialect } from '../dialects/dialect.ts';
import type { Views } from '../pages/views.ts';
import type { ClientTokenStore } from '../store/client-token-store.ts';
import type { EventStore } from '../store/event-store.ts';
import type { IdJagStore } from '../store/id-jag-store.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { RegistrationStore } from '../store/registration-store.ts';
import type { TokenStore } from '../store/token-store.ts';
import type { UserStore } from '../store/users.ts';
import type { ServiceReader } from '../token-request/service-reader.ts';
import type { IdentityAssertions } from '../tokens/identity-assertion.ts';
import type { JwtVerifier } from '../trust/jwt-verifier.ts';
import type { TrustList } from '../trust/trust-list.ts';
import type { Decisions } from './decisions.ts';

/** What the handlers work with: the configuration, what is decided by, and the parts. */
export interface ServiceContext {
  readonly config: ServiceConfig;
  readonly decisions: Decisions;
  /** How requests are read, and answers spelled. */
  readonly dialect: ServiceDialect;
  /** Every route of the service, but for its controls. */
  readonly routes: (service: ServiceContext) => readonly Route[];
  /** How requests are read: their bodies, the token of a call, and what a token request asks for. */
  readonly reader: ServiceReader;
  /** What the pages show, and what is around each. */
  readonly views: Views;
  /** The mock's own time: the machine's, moved as the controls say. */
  readonly clock: Clock;
  readonly random: Random;
  /** What it waits with where it answers late. */
  readonly delay: Delay;
  readonly log: Log;
  readonly db: Database;
  readonly keys: KeyRing;
  readonly assertions: IdentityAssertions;
  readonly trust: TrustList;
  readonly verifier: JwtVerifier;
  /** The secrets that an agent or its user gets once, and how a code is checked. */
  readonly secrets: Secrets;
  readonly registrations: RegistrationStore;
  readonly idJags: IdJagStore;
  readonly tokens: TokenStore;
  readonly clientTokens: ClientTokenStore;
  /** The clients that are known by their metadata documents. */
  readonly clientDocuments: DescribedClients;
  /** What was sent to users by mail. */
  readonly mails: MailStore;
  readonly events: EventStore;
  readonly users: UserStore;
  readonly sessions: Sessions;
}
