import type { DescribedClients } from '../../mock/clients/authenticate-client.ts';
import type { ReadCredentials } from '../../mock/http/bearer-credentials.ts';
import type { BodyReader } from '../../mock/http/body-reader.ts';
import type { Delay } from '../../mock/http/delay.ts';
import type { Route } from '../../mock/http/route.ts';
import type { KeyRing } from '../../mock/keys/key-ring.ts';
import type { Site } from '../../mock/pages/site.ts';
import type { ReturnTo } from '../../mock/sessions/return-to.ts';
import type { Sessions } from '../../mock/sessions/sessions.ts';
import type { Database } from '../../mock/store/database.ts';
import type { Clock, Log, Random } from '../../runtime/ports.ts';
import type { Secrets } from '../claim-attempt/attempt-secrets.ts';
import type { ShownAttempts } from '../claim-attempt/fresh-attempt.ts';
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
import type { TargetReader } from '../token-request/target.ts';
import type { Grants } from '../tokens/grant.ts';
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
  /** How the bodies of requests are read. */
  readonly reader: BodyReader;
  /** Where a sign-in may lead. */
  readonly returnTo: ReturnTo;
  /** What the pages show. */
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
  /** How a call of a protected resource shows its access token. */
  readonly credentials: ReadCredentials;
  /** The grants of the token endpoint. */
  readonly grants: (config: ServiceConfig) => Grants;
  /** How the target of a token request is read. */
  readonly target: TargetReader;
  readonly trust: TrustList;
  readonly verifier: JwtVerifier;
  /** The secrets that an agent or its user gets once, and how a code is checked. */
  readonly secrets: Secrets;
  /** The codes and links that this process handed out, for the live view. */
  readonly shownAttempts: ShownAttempts;
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
  readonly site: Site;
}
