import {
  controlRoutes,
  createApp,
  MockCore,
  migrate,
  openDatabase,
  registrationEnvelope,
  Sessions,
  sharedSetting,
  spoiler,
} from '../mock/index.ts';
import { randomToken } from '../runtime/index.ts';
import type { Moment } from './claim-machine/index.ts';
import { serviceControlRoutes } from './control-routes.ts';
import {
  DIRECTORY_MIGRATIONS,
  directoryEnvelope,
  isDirectoryPath,
  resetDirectory,
  seedDirectory,
} from './directory/index.ts';
import { ANSWER_FAULTS, SERVICE_FAULT_NAMES } from './faults/index.ts';
import { IdentityAssertions } from './identity-assertion.ts';
import { PATHS } from './metadata.ts';
import { type MockServiceOptions, resolveOptions } from './options.ts';
import { serviceRoutes } from './routes.ts';
import type { ServiceContext } from './service-context.ts';
import { ServiceControls } from './service-controls.ts';
import {
  EventStore,
  IdJagStore,
  RegistrationStore,
  SERVICE_MIGRATIONS,
  SERVICE_TABLES,
  TokenStore,
  UserStore,
} from './store/index.ts';
import { KeySource, TRUST_SETTING, TrustList } from './trust/index.ts';

/** A running mock service: a function from request to answer, to be served, mounted or called. */
export interface MockService {
  readonly issuer: string;
  /** Time, faults, keys, registrations and the audit trail, for tests. */
  readonly controls: ServiceControls;
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
  const { random, log } = options;
  const { lifetimes } = config;
  const db = options.db ?? (await openDatabase({}));
  await migrate(db, [...SERVICE_MIGRATIONS, ...DIRECTORY_MIGRATIONS]);
  await seedDirectory(db);
  const core = await MockCore.open({
    db,
    owner: 'service',
    clock: options.clock,
    random,
    knownFaults: SERVICE_FAULT_NAMES,
    faults: options.faults && config.faults,
    keepKeysFor: Math.max(lifetimes.claimedAssertion, lifetimes.assertion, lifetimes.claimWindow),
    algorithm: options.algorithm,
    keys: options.keys,
  });
  const { clock, faults, keys } = core;
  const moment = (): Moment => ({ now: clock.now(), lifetimes, faults });
  const registrations = new RegistrationStore(db, moment);
  const users = new UserStore(db, clock, random);
  await users.seed(config.users);
  const providerKeys = new KeySource(options.fetch, clock, log, faults);
  const trust = new TrustList({
    configured: config.trust,
    stored: () => core.live.setting(TRUST_SETTING),
    keys: providerKeys,
  });
  const service: ServiceContext = {
    config,
    clock,
    moment,
    faults,
    random,
    log,
    db,
    keys,
    assertions: new IdentityAssertions(config.issuer, keys, clock, faults),
    trust,
    verifier: { trust, keys: providerKeys, faults },
    userCodeKey: await sharedSetting(db, 'service', 'user_code_key', randomToken(random, '')),
    registrations,
    idJags: new IdJagStore(db, moment),
    tokens: new TokenStore(db, clock, faults),
    events: new EventStore(db, clock, registrations, faults),
    users,
    sessions: new Sessions({ db, owner: 'service', origin: config.issuer, clock, random, faults }),
    site: { name: config.name, role: 'Mock service', homePath: PATHS.connections },
    tokenNames: new Map(),
  };
  const controls = new ServiceControls(
    {
      core,
      issuer: config.issuer,
      initialFaults: config.faults,
      reset: async (tx, now) => {
        for (const table of SERVICE_TABLES) await tx.run(`DELETE FROM ${table}`);
        await users.seedWithin(tx, config.users, now);
        await resetDirectory(tx);
        await trust.clear(tx);
      },
    },
    service,
  );
  const inDirectory = directoryEnvelope(clock);
  const fetch = createApp({
    routes: [
      ...serviceRoutes(service),
      ...(options.control === undefined
        ? []
        : controlRoutes(controls, {
            ...options.control,
            issuer: config.issuer,
            own: serviceControlRoutes(controls),
          })),
    ],
    fallback: (problem, request) =>
      (isDirectoryPath(new URL(request.url).pathname) ? inDirectory : registrationEnvelope)(
        problem,
        request,
      ),
    clock,
    log,
    prepare: (request) => core.prepare(request),
    spoil: spoiler(faults, ANSWER_FAULTS),
    readingFaults: faults,
  });
  return {
    issuer: config.issuer,
    controls,
    fetch,
    close: async () => {
      if (options.db === undefined) await db.close();
    },
  };
}
