import type {
  BodyReader,
  CsrfRules,
  Database,
  Envelope,
  ExpiredRows,
  HostCheck,
  KeyRing,
  ReadCredentials,
  ReturnTo,
  Route,
  Sessions,
  Site,
} from '../../mock/index.ts';
import type { Clock, Log, Random } from '../../runtime/index.ts';
import type { Secrets } from '../claim-attempt/attempt-secrets.ts';
import type { ShownAttempts } from '../claim-attempt/shown-attempts.ts';
import type { DecisionContext } from '../claim-machine/index.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServiceDialect } from '../dialects/dialect.ts';
import type { IdJagResult } from '../id-jag/read-id-jag.ts';
import type { Views } from '../pages/views.ts';
import type { Challenge } from '../resource/protected-call.ts';
import type {
  EffectWriters,
  EventSteps,
  EventStore,
  IdJagQueries,
  IdJagStore,
  MailStore,
  RegistrationStore,
  TokenStore,
  UserStore,
} from '../store/index.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import type { Grants } from '../tokens/grant.ts';
import type { IdentityAssertions } from '../tokens/identity-assertion.ts';
import type { TargetReader } from '../tokens/target.ts';
import type {
  FetchDocument,
  IssuerKeys,
  JwtVerifier,
  KeySetPauses,
  KeySource,
  TrustList,
} from '../trust/index.ts';
import type { Decisions } from './decisions.ts';

/** What the handlers work with: the configuration, what is decided by, and the parts. */
export interface ServiceContext {
  readonly config: ServiceConfig;
  readonly decisions: Decisions;
  /** How requests are read, and answers spelled. */
  readonly dialect: ServiceDialect;
  /** Every route of the service, but for its controls. */
  readonly routes: (service: ServiceContext) => readonly Route[];
  /** Renders problems that belong to no route. */
  readonly fallback: Envelope;
  /** How a request of our own pages is recognized. */
  readonly csrfRules: CsrfRules;
  /** How the bodies of requests are read. */
  readonly reader: BodyReader;
  /** Which requests are for this server at all. */
  readonly isOurHost: HostCheck;
  /** Where a sign-in may lead. */
  readonly returnTo: ReturnTo;
  /** What the pages show. */
  readonly views: Views;
  /** The mock's own time: the machine's, moved as the controls say. */
  readonly clock: Clock;
  /** The context of a decision of the claim machine, now. */
  readonly decisionContext: () => DecisionContext;
  readonly random: Random;
  readonly log: Log;
  readonly db: Database;
  readonly keys: KeyRing;
  readonly assertions: IdentityAssertions;
  readonly accessTokens: AccessTokens;
  /** How a call of a protected resource shows its access token. */
  readonly credentials: ReadCredentials;
  /** The challenge to a call of a protected resource that is refused. */
  readonly challengeTo: Challenge;
  /** The grants of the token endpoint. */
  readonly grants: (config: ServiceConfig) => Grants;
  /** How the target of a token request is read. */
  readonly target: TargetReader;
  readonly trust: TrustList;
  readonly verifier: JwtVerifier;
  /** Key sets by their URL. */
  readonly keySource: KeySource;
  /** The key sets of trusted providers, wherever each has its own. */
  readonly issuerKeys: IssuerKeys;
  /** How the documents of providers are fetched. */
  readonly fetchDocument: FetchDocument;
  /** How often their key sets and metadata are fetched. */
  readonly keySetPauses: KeySetPauses;
  /** Under which user codes are stored. */
  readonly userCodeKey: string;
  /** The secrets that an agent or its user gets once, and how a code is checked. */
  readonly secrets: Secrets;
  /** The codes and links that this process handed out, for the live view. */
  readonly shownAttempts: ShownAttempts;
  /** How the effects of a decision are written. */
  readonly effectWriters: EffectWriters;
  readonly registrations: RegistrationStore;
  /** What is forgotten. */
  readonly expired: ExpiredRows;
  /** How an ID-JAG is judged, up to its `jti`. */
  readonly verifyIdJag: (service: ServiceContext, assertion: string) => Promise<IdJagResult>;
  readonly idJags: IdJagStore;
  /** What {@link idJags} reads and writes. */
  readonly idJagQueries: IdJagQueries;
  readonly tokens: TokenStore;
  /** What was sent to users by mail. */
  readonly mails: MailStore;
  readonly events: EventStore;
  /** What a revocation event changes in the store. */
  readonly eventSteps: EventSteps;
  readonly users: UserStore;
  readonly sessions: Sessions;
  readonly site: Site;
}
