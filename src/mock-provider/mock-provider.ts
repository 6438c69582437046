import {
  Controls,
  controlRoutes,
  createApp,
  MockCore,
  migrate,
  oauthEnvelope,
  openDatabase,
  Sessions,
  sharedSetting,
  spoiler,
} from '../mock/index.ts';
import { MEDIA_TYPE } from '../protocol/index.ts';
import { randomToken } from '../runtime/index.ts';
import { ConsentStore } from './consent/consent-store.ts';
import { providerControlRoutes } from './control-routes.ts';
import { DeviceStore } from './device/device-store.ts';
import { ANSWER_FAULTS, PROVIDER_FAULT_NAMES, type ProviderFault } from './faults/index.ts';
import { IdTokens } from './id-tokens.ts';
import { PATHS } from './metadata.ts';
import { type MockProviderOptions, resolveOptions } from './options.ts';
import { Courier } from './outbox/courier.ts';
import { Outbox } from './outbox/outbox.ts';
import type { ProviderContext } from './provider-context.ts';
import { providerRoutes } from './routes.ts';
import { PROVIDER_MIGRATIONS, PROVIDER_TABLES } from './store/schema.ts';
import { UserStore } from './store/user-store.ts';

/** A running mock provider: a function from request to answer, to be served, mounted or called. */
export interface MockProvider {
  readonly issuer: string;
  /** Time, faults, keys and the audit trail, for tests. */
  readonly controls: Controls<ProviderFault>;
  /** What services are still to be told, and what became of it. */
  readonly outbox: Outbox;
  fetch(request: Request): Promise<Response>;
  /** Stops telling services, and closes the database unless it was given. */
  close(): Promise<void>;
}

/**
 * An agent provider: signs users in by device code, asks for their consent, and mints ID-JAGs.
 * @throws TypeError when an option is wrong; StoreOpenError when the database cannot be used.
 */
export async function createMockProvider(options: MockProviderOptions): Promise<MockProvider> {
  const config = resolveOptions(options);
  const { fetch, random, log, sleep } = options;
  const db = options.db ?? (await openDatabase());
  await migrate(db, PROVIDER_MIGRATIONS);
  const core = await MockCore.open({
    db,
    owner: 'provider',
    clock: options.clock,
    random,
    knownFaults: PROVIDER_FAULT_NAMES,
    faults: options.faults && config.faults,
    keepKeysFor: Math.max(config.lifetimes.idToken, config.lifetimes.idJag),
    algorithm: options.algorithm,
    keys: options.keys,
  });
  const { clock, faults, keys } = core;
  const users = new UserStore(db, clock);
  await users.seed(config.users);
  const ports = { clock, random, fetch, log, sleep };
  const outbox = new Outbox({ ...ports, db, config, keys, faults, prepare: () => core.follow() });
  const provider: ProviderContext = {
    config,
    clock,
    faults,
    random,
    log,
    keys,
    site: { name: config.name, role: 'Mock provider', homePath: PATHS.home },
    sessions: new Sessions({ db, owner: 'provider', origin: config.issuer, clock, random }),
    users,
    devices: new DeviceStore(db, clock),
    consents: new ConsentStore(db, clock),
    outbox,
    idTokens: new IdTokens(config, keys, clock, random, faults),
    userCodeKey: await sharedSetting(db, 'provider', 'user_code_key', randomToken(random, '')),
  };
  const controls = new Controls({
    core,
    issuer: config.issuer,
    initialFaults: config.faults,
    reset: async (tx, now) => {
      for (const table of PROVIDER_TABLES) await tx.run(`DELETE FROM ${table}`);
      await users.seedWithin(tx, config.users, now);
    },
  });
  const courier = sleep && new Courier({ outbox, clock, sleep, log });
  const app = createApp({
    routes: [
      ...providerRoutes(provider),
      ...(options.control === undefined
        ? []
        : controlRoutes(controls, {
            ...options.control,
            issuer: config.issuer,
            own: providerControlRoutes(outbox),
          })),
    ],
    fallback: oauthEnvelope,
    clock,
    log,
    prepare: async (request) => {
      await core.prepare(request);
      courier?.nudge();
    },
    spoil: spoiler(faults, ANSWER_FAULTS),
  });
  return {
    issuer: config.issuer,
    controls,
    outbox,
    fetch: (request) => app(faults.has('mintByGet') ? asPost(request) : request),
    close: async () => {
      outbox.close();
      await courier?.close();
      if (options.db === undefined) await db.close();
    },
  };
}

/** What a router that looks at no method makes of a GET with parameters. */
function asPost(request: Request): Request {
  const { pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || pathname !== PATHS.token) return request;
  return new Request(request.url, {
    method: 'POST',
    headers: { 'content-type': MEDIA_TYPE.form },
    body: search.slice(1),
  });
}
