import { exchangeLog } from '../exchanges/index.ts';
import {
  bearerCredentials,
  bodyReader,
  controlRoutes,
  createApp,
  createTables,
  documentRoute,
  ExpiredRows,
  emptyTables,
  isControlPath,
  type LivePart,
  MockCore,
  misdirectedPage,
  openDatabase,
  recordExchanges,
  Sessions,
  type Site,
  safeReturnTo,
  sharedSetting,
  Wiring,
} from '../mock/index.ts';
import { randomToken } from '../runtime/index.ts';
import { ShownAttempts } from './claim-attempt/shown-attempts.ts';
import { describesItself } from './config/describes-itself.ts';
import { PATHS } from './config/paths.ts';
import type { ServiceContext } from './context/service-context.ts';
import { serviceControlRoutes } from './controls/control-routes.ts';
import { ServiceControls } from './controls/service-controls.ts';
import { saying } from './dialects/says.ts';
import { serviceFaults } from './faults/index.ts';
import { liveService } from './live/live-service.ts';
import { type MockServiceOptions, resolveOptions } from './options.ts';
import { VIEWS } from './pages/views.ts';
import { serviceRoutes } from './routes.ts';
import { spokenParts } from './spoken-parts.ts';
import {
  EventStore,
  IdJagStore,
  MailStore,
  RegistrationStore,
  SERVICE_SCHEMA,
  TokenStore,
  UserStore,
} from './store/index.ts';
import { targetReader } from './tokens/target.ts';
import {
  documentFetcher,
  IssuerKeys,
  jwtVerifier,
  KeySource,
  TRUST_SETTING,
  TrustList,
} from './trust/index.ts';

/** A running mock service: a function from request to answer, to be served, mounted or called. */
export interface MockService {
  /** Its URL. */
  readonly issuer: string;
  /** Time, faults, keys, registrations and the audit trail, for tests. */
  readonly controls: ServiceControls;
  /** What the live view of the program shows of it. */
  readonly live: LivePart;
  /** Answers one request, as the service at its URL. */
  fetch(request: Request): Promise<Response>;
  /** Closes the database, unless it was given. */
  close(): Promise<void>;
}

/**
 * The service side of agentic registration: discovery, registration, claim, tokens, revocation,
 * events and the pages of its user.
 * @throws TypeError when an option is wrong; StoreOpenError when the database cannot be used.
 */
export async function createMockService(options: MockServiceOptions): Promise<MockService> {
  const config = resolveOptions(options);
  const { dialect = 'flat' } = options;
  const known = serviceFaults(options.faults ?? [], dialect);
  const { random, log } = options;
  const { lifetimes } = config;
  const exchanges = exchangeLog(options.exchanges);
  const db = options.db ?? (await openDatabase({}));
  await createTables(db, [SERVICE_SCHEMA]);
  const core = await MockCore.open({
    db,
    owner: 'service',
    clock: options.clock,
    random,
    knownFaults: known.known,
    faults: options.faults && known.initial,
    keepKeysFor: Math.max(lifetimes.claimedAssertion, lifetimes.assertion, lifetimes.claimWindow),
    algorithm: options.algorithm,
    keys: options.keys,
  });
  const { clock, keys } = core;
  const mock = (): ServiceContext => wiring.now();
  const expired = new ExpiredRows(SERVICE_SCHEMA.tables);
  const registrations = new RegistrationStore(db, mock, expired);
  const users = new UserStore(db, clock, random);
  await users.seed(config.users);
  const fetching = {
    fetch: (url: string) => mock().verifier.fetchDocument(url),
    clock,
    log,
  };
  const issuerKeys = new IssuerKeys({ ...fetching, keys: new KeySource(fetching) });
  const trust = new TrustList({
    configured: config.trust,
    stored: () => core.live.setting(TRUST_SETTING),
    keys: issuerKeys,
  });
  const userCodeKey = await sharedSetting(db, 'service', 'user_code_key', randomToken(random, ''));
  const site: Site = { name: config.name, role: 'Mock service', homePath: PATHS.connections };
  const { fallback, ...spoken } = spokenParts(options, { clock, keys, random, site, userCodeKey });
  const right: ServiceContext = {
    ...spoken,
    routes: serviceRoutes,
    reader: bodyReader,
    returnTo: safeReturnTo,
    views: VIEWS,
    clock,
    random,
    log,
    db,
    keys,
    credentials: bearerCredentials,
    target: targetReader,
    trust,
    verifier: jwtVerifier(trust, issuerKeys, documentFetcher(options.fetch)),
    registrations,
    idJags: new IdJagStore(db, mock),
    tokens: new TokenStore(db, clock),
    mails: new MailStore(db, clock, random, expired),
    events: new EventStore(db, clock, registrations, mock),
    shownAttempts: new ShownAttempts(),
    users,
    sessions: new Sessions({
      db,
      owner: 'service',
      origin: config.issuer,
      clock,
      random,
    }),
    site,
  };
  const controls = new ServiceControls(
    {
      core,
      issuer: config.issuer,
      initialFaults: known.initial,
      absentFaults: () => known.absent,
      exchanges,
      reset: async (tx, now) => {
        await emptyTables(tx, SERVICE_SCHEMA);
        await users.seedWithin(tx, config.users, now);
        await trust.clear(tx);
      },
      afterReset: () => right.shownAttempts.clear(),
    },
    mock,
  );
  const ofControls =
    options.control === undefined
      ? []
      : controlRoutes(controls, {
          ...options.control,
          issuer: config.issuer,
          isOurHost: config.isOurHost,
          own: serviceControlRoutes(controls),
        });
  // What it should do, whatever it does now.
  const document = describesItself(config)
    ? [
        documentRoute({
          mock: 'service',
          issuer: config.issuer,
          envelope: right.dialect.problems.registration,
          elsewhere: dialect === 'flat' ? undefined : documentedElsewhere(dialect, config.issuer),
        }),
      ]
    : [];
  const wiring = new Wiring<ServiceContext>({
    right,
    faults: known.faults,
    on: () => core.live.listFaults(),
    follow: () => core.follow(),
    app: (service, prepare) =>
      saying(
        service.dialect,
        createApp({
          routes: [...ofControls, ...service.routes(service), ...document],
          fallback,
          clock,
          log,
          isOurHost: service.config.isOurHost,
          misdirectedPage,
          cors: config.cors,
          ...(prepare && { prepare }),
        }),
      ),
  });
  // A fault that cannot be wired fails now, not at the first request.
  mock();
  return {
    issuer: config.issuer,
    controls,
    live: {
      role: 'service',
      name: config.name,
      controls,
      service: liveService(controls, mock, dialect),
    },
    fetch: recordExchanges(wiring.fetch, {
      to: 'service',
      log: exchanges,
      clock,
      machineClock: options.clock,
      report: log,
      isOutside: isControlPath,
    }),
    close: async () => {
      if (options.db === undefined) await db.close();
    },
  };
}

function documentedElsewhere(dialect: string, issuer: string): string {
  return `The OpenAPI document is of the dialect flat, and this mock speaks ${dialect}: ${issuer}/auth.md says what to send, and the transcripts of the package (agent-auth/transcripts/${dialect}-anonymous.json and its like) show it.`;
}
