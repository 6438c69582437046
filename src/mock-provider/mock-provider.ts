import {
  createApp,
  KeyRing,
  migrate,
  oauthEnvelope,
  openDatabase,
  Sessions,
  sharedSetting,
} from '../mock/index.ts';
import { randomToken } from '../runtime/index.ts';
import { ConsentStore } from './consent/consent-store.ts';
import { DeviceStore } from './device/device-store.ts';
import { IdTokens } from './id-tokens.ts';
import { PATHS } from './metadata.ts';
import { type MockProviderOptions, resolveOptions } from './options.ts';
import type { ProviderContext } from './provider-context.ts';
import { providerRoutes } from './routes.ts';
import { PROVIDER_MIGRATIONS } from './store/schema.ts';
import { UserStore } from './store/user-store.ts';

/** A running mock provider: a function from request to answer, to be served, mounted or called. */
export interface MockProvider {
  readonly issuer: string;
  fetch(request: Request): Promise<Response>;
  /** Closes the database, unless it was given. */
  close(): Promise<void>;
}

/**
 * An agent provider: signs users in by device code, asks for their consent, and mints ID-JAGs.
 * @throws TypeError when an option is wrong; StoreOpenError when the database cannot be used.
 */
export async function createMockProvider(options: MockProviderOptions): Promise<MockProvider> {
  const config = resolveOptions(options);
  const { clock, random, log } = options;
  const db = options.db ?? (await openDatabase());
  await migrate(db, PROVIDER_MIGRATIONS);
  const keys = await KeyRing.open({
    db,
    owner: 'provider',
    clock,
    random,
    ...(options.algorithm && { algorithm: options.algorithm }),
    ...(options.keys && { keys: options.keys }),
  });
  const users = new UserStore(db, clock);
  await users.seed(config.users);
  const provider: ProviderContext = {
    config,
    clock,
    random,
    log,
    keys,
    site: { name: config.name, role: 'Mock provider', homePath: PATHS.home },
    sessions: new Sessions({ db, owner: 'provider', origin: config.issuer, clock, random }),
    users,
    devices: new DeviceStore(db, clock),
    consents: new ConsentStore(db, clock),
    idTokens: new IdTokens(config, keys, clock, random),
    userCodeKey: await sharedSetting(db, 'provider', 'user_code_key', randomToken(random, '')),
  };
  return {
    issuer: config.issuer,
    fetch: createApp({ routes: providerRoutes(provider), fallback: oauthEnvelope, clock, log }),
    close: async () => {
      if (options.db === undefined) await db.close();
    },
  };
}
