import { isControlPath } from '../mock/controls/control-paths.ts';
import { controlRoutes } from '../mock/controls/control-routes.ts';
import { LiveValue } from '../mock/controls/live-value.ts';
import { MockCore } from '../mock/controls/mock-core.ts';
import { Current } from '../mock/faults/wiring.ts';
import { createApp, type FetchHandler } from '../mock/http/app.ts';
import { Delay } from '../mock/http/delay.ts';
import { oauthEnvelope } from '../mock/http/envelopes.ts';
import { hostCheck } from '../mock/http/host-check.ts';
import { documentRoute } from '../mock/http/openapi-route.ts';
import { bodyReader } from '../mock/http/request.ts';
import type { SigningAlgorithm } from '../mock/keys/algorithm.ts';
import type { LivePart } from '../mock/live/live-part.ts';
import { misdirectedPage } from '../mock/pages/misdirected-page.ts';
import { forBrowsers } from '../mock/pages/page-envelope.ts';
import { safeReturnTo } from '../mock/sessions/return-to.ts';
import { Sessions } from '../mock/sessions/sessions.ts';
import { ExpiredRows } from '../mock/store/atomic-store.ts';
import { sharedSetting } from '../mock/store/settings.ts';
import { emptyTables } from '../mock/store/tables.ts';
import { recordExchanges } from '../mock/traffic/record-exchanges.ts';
import type { Fetch } from '../runtime/ports.ts';
import { randomToken } from '../runtime/random-token.ts';
import { exchangeLog } from '../traffic/exchange-log.ts';
import { resolveProviderClient } from './clients/provider-client.ts';
import type { ProviderConfig } from './config/config.ts';
import { PATHS } from './config/paths.ts';
import { revokeConsent } from './consent/revoke-consent.ts';
import { DECISIONS } from './context/decisions.ts';
import type { ProviderContext } from './context/provider-context.ts';
import { providerControlRoutes } from './controls/control-routes.ts';
import { ProviderControls } from './controls/provider-controls.ts';
import { providerFaults } from './faults/index.ts';
import { IdTokens } from './id-token/id-tokens.ts';
import { type MockProviderOptions, resolveOptions, resolvePolicy } from './options.ts';
import { Outbox } from './outbox/outbox.ts';
import { sendEvent } from './outbox/send-event.ts';
import { VIEWS } from './pages/views.ts';
import { providerRoutes } from './routes.ts';
import { CodeStore } from './store/code-store.ts';
import { ConsentStore } from './store/consent-store.ts';
import { DeviceStore } from './store/device-store.ts';
import { endTokens } from './store/end-tokens.ts';
import { PROVIDER_SCHEMA } from './store/schema.ts';
import { SignInTokens } from './store/sign-in-tokens.ts';
import { type MintedIdJag, mintAsAsked, type WantedIdJag } from './tokens/mint-as-asked.ts';
import { GRANTS } from './tokens/token-endpoint.ts';
import { UserStore } from './users/user-store.ts';

/** A running mock provider: a function from request to answer, to be served, mounted or called. */
export interface MockProvider {
  /** Its URL. */
  readonly issuer: string;
  /** Time, faults, keys, clients, policy, tokens and the audit trail, for tests. */
  readonly controls: ProviderControls;
  /** What the live view of the program shows of it. */
  readonly live: LivePart;
  /** The events for services: what was sent and what is still to be sent. */
  readonly outbox: Outbox;
  /** Mints an ID-JAG as it is asked, without a sign-in: any claim can be another, or left out. */
  mintIdJag(wanted: WantedIdJag): Promise<MintedIdJag>;
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
  const configured = resolveOptions(options);
  const { clock: machineClock, log } = options;
  const known = providerFaults(options.faults ?? []);
  const exchanges = exchangeLog(options.exchanges);
  const core = await MockCore.open({
    ...options,
    owner: 'provider',
    schema: PROVIDER_SCHEMA,
    knownFaults: known.known,
    faults: options.faults && known.initial,
    keepKeysFor: Math.max(configured.lifetimes.idToken, configured.lifetimes.idJag),
    also: algorithmsFor(options),
  });
  const clients = new LiveValue(core.live, 'clients', configured.clients);
  const policy = new LiveValue(core.live, 'policy', configured.policy);
  const signIn = new LiveValue(core.live, 'sign_in', configured.signIn);
  const config: ProviderConfig = {
    ...configured,
    get clients() {
      return clients.current();
    },
    get policy() {
      return policy.current();
    },
    get signIn() {
      return signIn.current();
    },
  };
  const current = new Current<ProviderContext>();
  const right = await providerParts(options, config, core, current);
  const { outbox, users } = right;
  const controls = new ProviderControls(
    {
      core,
      issuer: config.issuer,
      initialFaults: known.initial,
      exchanges,
      reset: async (tx, now) => {
        await emptyTables(tx, PROVIDER_SCHEMA);
        await users.seedWithin(tx, config.users, now);
        await policy.clear(tx);
        await signIn.clear(tx);
      },
      clients: { live: clients, resolve: resolveProviderClient },
      endTokens,
    },
    { policy, signIn, consents: right.consents, resolve: resolvePolicy(configured.users) },
  );
  const mint = (wanted: WantedIdJag) => mintAsAsked(current.now(), wanted);
  const app = providerApp(options, controls, right, mint);
  const wiring = current.wire({
    right,
    faults: known.faults,
    on: () => core.live.listFaults(),
    follow: () => {
      const followed = core.follow();
      if (followed === undefined) outbox.nudge();
      return followed?.then(() => outbox.nudge());
    },
    app,
  });
  outbox.wake();
  return {
    issuer: config.issuer,
    controls,
    live: { role: 'provider', name: config.name, controls },
    outbox,
    mintIdJag: mint,
    fetch: recordExchanges(wiring.fetch, {
      to: 'provider',
      log: exchanges,
      clock: core.clock,
      machineClock,
      report: log,
      isOutside: isControlPath,
    }),
    close: async () => {
      right.delay.close();
      await outbox.close();
      if (options.db === undefined) await core.db.close();
    },
  };
}

/** The algorithms of its audiences, beside its own. */
function algorithmsFor({ audiences = 'any' }: MockProviderOptions): readonly SigningAlgorithm[] {
  return (audiences === 'any' ? [] : audiences).flatMap((each) =>
    typeof each === 'string' ? [] : (each.algorithm ?? []),
  );
}

/** Everything that a right provider consists of; its users are seeded. */
async function providerParts(
  options: MockProviderOptions,
  config: ProviderConfig,
  core: MockCore,
  current: Current<ProviderContext>,
): Promise<ProviderContext> {
  const { log, random, sleep } = options;
  const { clock, db, keys } = core;
  const { issuer } = config;
  const expired = new ExpiredRows(PROVIDER_SCHEMA.tables);
  const users = new UserStore(db, clock, expired, config.tenant);
  await users.seed(config.users);
  const provider = current.now;
  const prepare = () => core.follow();
  return {
    config,
    decisions: DECISIONS,
    routes: providerRoutes,
    reader: bodyReader,
    returnTo: safeReturnTo,
    views: VIEWS,
    clock,
    db,
    random,
    delay: new Delay(options.delay),
    fetch: fetchOf(options, config),
    log,
    keys,
    site: { name: config.name, role: 'Mock provider', homePath: PATHS.home },
    sessions: new Sessions({ db, owner: 'provider', origin: issuer, clock, random }),
    users,
    devices: new DeviceStore(db, clock, expired),
    signInTokens: new SignInTokens(db, clock, expired),
    codes: new CodeStore(db, clock, expired),
    consents: new ConsentStore(db, clock, expired),
    revokeConsent,
    outbox: new Outbox({ db, issuer, clock, random, log, sleep, provider, prepare }),
    sendEvent,
    idTokens: new IdTokens(provider),
    grants: GRANTS,
    userCodeKey: await sharedSetting(db, 'provider', 'user_code_key', randomToken(random, '')),
  };
}

/** The guard is asked about every service that the options do not list. */
function fetchOf({ fetch, guardedFetch }: MockProviderOptions, config: ProviderConfig): Fetch {
  const guarded = config.receiverGuard && guardedFetch?.(config.receiverGuard);
  return (url, init) =>
    (guarded === undefined || config.isListed(url) ? fetch : guarded)(url, init);
}

/** Builds the application of a provider, as it is wired. */
function providerApp(
  { control }: MockProviderOptions,
  controls: ProviderControls,
  { clock, config, log, outbox, site }: ProviderContext,
  mint: MockProvider['mintIdJag'],
) {
  const { cors, issuer } = config;
  const isOurHost = hostCheck(config);
  const fallback = forBrowsers(site, oauthEnvelope);
  const own = providerControlRoutes(controls, outbox, mint);
  const ofControls =
    control === undefined ? [] : controlRoutes(controls, { ...control, issuer, isOurHost, own });
  // What it should do, whatever it does now.
  const itself = documentRoute({ mock: 'provider', issuer, envelope: fallback });
  return (provider: ProviderContext, prepare: (request: Request) => void): FetchHandler =>
    createApp({
      routes: [...ofControls, ...provider.routes(provider), itself],
      fallback,
      clock,
      log,
      isOurHost,
      misdirectedPage,
      cors,
      prepare,
    });
}
