import {
  createApp,
  KeyRing,
  migrate,
  openDatabase,
  registrationEnvelope,
  Sessions,
  sharedSetting,
} from '../mock/index.ts';
import { randomToken } from '../runtime/index.ts';
import { IdentityAssertions } from './identity-assertion.ts';
import { PATHS } from './metadata.ts';
import { type MockServiceOptions, resolveOptions } from './options.ts';
import { serviceRoutes } from './routes.ts';
import type { ServiceContext } from './service-context.ts';
import {
  EventStore,
  IdJagStore,
  RegistrationStore,
  SERVICE_MIGRATIONS,
  TokenStore,
  UserStore,
} from './store/index.ts';
import { KeySource } from './trust/index.ts';

/** A running mock service: a function from request to answer, to be served, mounted or called. */
export interface MockService {
  readonly issuer: string;
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
  const { clock, random, log } = options;
  const db = options.db ?? (await openDatabase({}));
  await migrate(db, SERVICE_MIGRATIONS);
  const keys = await KeyRing.open({
    db,
    owner: 'service',
    clock,
    random,
    ...(options.algorithm && { algorithm: options.algorithm }),
    ...(options.keys && { keys: options.keys }),
  });
  const registrations = new RegistrationStore(db, clock, config.lifetimes);
  const users = new UserStore(db, clock, random);
  await users.seed(config.users);
  const service: ServiceContext = {
    config,
    clock,
    random,
    log,
    db,
    keys,
    assertions: new IdentityAssertions(config.issuer, keys, clock),
    verifier: { trust: config.trust, keys: new KeySource(options.fetch, clock, log) },
    userCodeKey: await sharedSetting(db, 'service', 'user_code_key', randomToken(random, '')),
    registrations,
    idJags: new IdJagStore(db, clock, config.lifetimes),
    tokens: new TokenStore(db, clock),
    events: new EventStore(db, clock, registrations),
    users,
    sessions: new Sessions({ db, owner: 'service', origin: config.issuer, clock, random }),
    site: { name: config.name, role: 'Mock service', homePath: PATHS.connections },
  };
  const fetch = createApp({
    routes: serviceRoutes(service),
    fallback: registrationEnvelope,
    clock,
    log,
  });
  return {
    issuer: config.issuer,
    fetch,
    close: async () => {
      if (options.db === undefined) await db.close();
    },
  };
}
