import { exchangeLog } from '../exchanges/index.ts';
import {
  bodyReader,
  Controls,
  controlRoutes,
  createApp,
  createTables,
  documentRoute,
  ExpiredRows,
  emptyTables,
  forBrowsers,
  hostCheck,
  isControlPath,
  type LivePart,
  MockCore,
  misdirectedPage,
  oauthEnvelope,
  openDatabase,
  recordExchanges,
  Sessions,
  type Site,
  safeReturnTo,
  sharedSetting,
  Wiring,
} from '../mock/index.ts';
import { type Fetch, randomToken } from '../runtime/index.ts';
import { PATHS } from './config/paths.ts';
import { revokeConsent } from './consent/revoke-consent.ts';
import type { ProviderContext } from './context/provider-context.ts';
import { providerControlRoutes } from './controls/control-routes.ts';
import { DECISIONS } from './decisions.ts';
import { providerFaults } from './faults/index.ts';
import { IdTokens } from './id-token/id-tokens.ts';
import { type MockProviderOptions, resolveOptions } from './options.ts';
import { Outbox } from './outbox/outbox.ts';
import { sendEvent } from './outbox/send-event.ts';
import { VIEWS } from './pages/views.ts';
import { providerRoutes } from './routes.ts';
import { ConsentStore } from './store/consent-store.ts';
import { DeviceStore } from './store/device-store.ts';
import { PROVIDER_SCHEMA } from './store/schema.ts';
import { SignInTokens } from './store/sign-in-tokens.ts';
import { GRANTS } from './tokens/token-endpoint.ts';
import { UserStore } from './users/user-store.ts';

/** A running mock provider: a function from request to answer, to be served, mounted or called. */
export interface MockProvider {
  /** Its URL. */
  readonly issuer: string;
  /** Time, faults, keys and the audit trail, for tests. */
  readonly controls: Controls;
  /** What the live view of the program shows of it. */
  readonly live: LivePart;
  /** The events for services: what was sent and what is still to be sent. */
  readonly outbox: Outbox;
  /** Answers one request, as the provider at its URL. */
  fetch(request: Request): Promise<Response>;
  /** Stops sending events, and closes the database unless it was given. */
  close(): Promise<void>;
}

/**
 * An agent provider: signs users in by device code, asks for their consent, and mints ID-JAGs.
 * @throws TypeError when an option is wrong; StoreOpenError when the database cannot be used.
 */
export async function createMockProvider(options: MockProviderOptions): Promise<MockProvider> {
  const config = resolveOptions(options);
  const isOurHost = hostCheck(config);
  const known = providerFaults(options.faults ?? []);
  const { guardedFetch, random, log, sleep } = options;
  const { receiverGuard } = config;
  const guarded = receiverGuard && guardedFetch?.(receiverGuard);
  const fetch: Fetch = (url, init) =>
    (guarded === undefined || config.isListed(url) ? options.fetch : guarded)(url, init);
  const exchanges = exchangeLog(options.exchanges);
  const db = options.db ?? (await openDatabase());
  await createTables(db, [PROVIDER_SCHEMA]);
  const core = await MockCore.open({
    db,
    owner: 'provider',
    clock: options.clock,
    random,
    knownFaults: known.known,
    faults: options.faults && known.initial,
    keepKeysFor: Math.max(config.lifetimes.idToken, config.lifetimes.idJag),
    algorithm: options.algorithm,
    keys: options.keys,
  });
  const { clock, keys } = core;
  const mock = (): ProviderContext => wiring.now();
  const users = new UserStore(db, clock);
  const expired = new ExpiredRows(PROVIDER_SCHEMA.tables);
  await users.seed(config.users);
  const outbox = new Outbox({
    db,
    issuer: config.issuer,
    clock,
    random,
    log,
    sleep,
    provider: mock,
    prepare: () => core.follow(),
  });
  const site: Site = { name: config.name, role: 'Mock provider', homePath: PATHS.home };
  const fallback = forBrowsers(site, oauthEnvelope);
  const right: ProviderContext = {
    config,
    decisions: DECISIONS,
    routes: providerRoutes,
    reader: bodyReader,
    returnTo: safeReturnTo,
    views: VIEWS,
    clock,
    db,
    random,
    fetch,
    log,
    keys,
    site,
    sessions: new Sessions({ db, owner: 'provider', origin: config.issuer, clock, random }),
    users,
    devices: new DeviceStore(db, clock, expired),
    signInTokens: new SignInTokens(db, clock, expired),
    consents: new ConsentStore(db, clock, expired),
    revokeConsent,
    outbox,
    sendEvent,
    idTokens: new IdTokens(mock),
    grants: GRANTS,
    userCodeKey: await sharedSetting(db, 'provider', 'user_code_key', randomToken(random, '')),
  };
  const controls = new Controls({
    core,
    issuer: config.issuer,
    initialFaults: known.initial,
    exchanges,
    reset: async (tx, now) => {
      await emptyTables(tx, PROVIDER_SCHEMA);
      await users.seedWithin(tx, config.users, now);
    },
  });
  const ofControls =
    options.control === undefined
      ? []
      : controlRoutes(controls, {
          ...options.control,
          issuer: config.issuer,
          isOurHost,
          own: providerControlRoutes(outbox),
        });
  // What it should do, whatever it does now.
  const itself = documentRoute({
    mock: 'provider',
    issuer: config.issuer,
    envelope: fallback,
  });
  const wiring = new Wiring({
    right,
    faults: known.faults,
    on: () => core.live.listFaults(),
    follow: () => {
      const followed = core.follow();
      if (followed === undefined) outbox.nudge();
      return followed?.then(() => outbox.nudge());
    },
    app: (provider, prepare) =>
      createApp({
        routes: [...ofControls, ...provider.routes(provider), itself],
        fallback,
        clock,
        log,
        isOurHost,
        misdirectedPage,
        cors: config.cors,
        ...(prepare && { prepare }),
      }),
  });
  // A fault that cannot be wired fails now, not at the first request.
  wiring.now();
  outbox.wake();
  return {
    issuer: config.issuer,
    controls,
    live: { role: 'provider', name: config.name, controls },
    outbox,
    fetch: recordExchanges(wiring.fetch, {
      to: 'provider',
      log: exchanges,
      clock,
      machineClock: options.clock,
      report: log,
      isOutside: isControlPath,
    }),
    close: async () => {
      await outbox.close();
      if (options.db === undefined) await db.close();
    },
  };
}
