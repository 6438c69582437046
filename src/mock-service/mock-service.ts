import { exchangeLog } from '../exchanges/exchange-log.ts';
import { resolveClient } from '../mock/clients/client.ts';
import { isControlPath } from '../mock/controls/control-paths.ts';
import { controlRoutes } from '../mock/controls/control-routes.ts';
import { LiveValue } from '../mock/controls/live-value.ts';
import { MockCore } from '../mock/controls/mock-core.ts';
import { recordExchanges } from '../mock/exchanges/record-exchanges.ts';
import { Current } from '../mock/faults/current.ts';
import type { Route } from '../mock/http/route.ts';
import type { LivePart } from '../mock/live/live-part.ts';
import { emptyTables } from '../mock/store/tables.ts';
import { serviceApp } from './assembly/service-app.ts';
import { serviceParts } from './assembly/service-parts.ts';
import type { ServiceConfig } from './config/config.ts';
import type { ServiceContext } from './context/service-context.ts';
import { serviceControlRoutes } from './controls/control-routes.ts';
import { ServiceControls } from './controls/service-controls.ts';
import { serviceFaults } from './faults/index.ts';
import { liveService } from './live/live-service.ts';
import { type MockServiceOptions, resolveOptions } from './options.ts';
import { SERVICE_SCHEMA } from './store/schema.ts';

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
  /** Ends what waits, and closes the database unless it was given. */
  close(): Promise<void>;
}

/**
 * The service side of agentic registration: discovery, registration, claim, tokens, revocation,
 * events and the pages of its user.
 * @throws TypeError when an option is wrong; StoreOpenError when the database cannot be used.
 */
export async function createMockService(options: MockServiceOptions): Promise<MockService> {
  const configured = resolveOptions(options);
  const { clock: machineClock, dialect = 'flat', log } = options;
  const { issuer, lifetimes } = configured;
  const known = serviceFaults(options.faults ?? [], dialect);
  const exchanges = exchangeLog(options.exchanges);
  const core = await MockCore.open({
    ...options,
    owner: 'service',
    schema: SERVICE_SCHEMA,
    knownFaults: known.known,
    faults: options.faults && known.initial,
    keepKeysFor: Math.max(lifetimes.claimedAssertion, lifetimes.assertion, lifetimes.claimWindow),
  });
  const clients = new LiveValue(core.live, 'clients', configured.clients);
  const config: ServiceConfig = {
    ...configured,
    get clients() {
      return clients.current();
    },
  };
  const current = new Current<ServiceContext>();
  const { fallback, right } = await serviceParts(options, config, core, current);
  const controls = new ServiceControls(
    {
      core,
      issuer,
      initialFaults: known.initial,
      absentFaults: () => known.absent,
      exchanges,
      reset: async (tx, now) => {
        await emptyTables(tx, SERVICE_SCHEMA);
        await right.users.seedWithin(tx, config.users, now);
        await right.trust.clear(tx);
      },
      clients: { live: clients, resolve: (given) => resolveClient(given, { documents: true }) },
      endTokens: (tx, of) => right.clientTokens.end(tx, of),
      afterReset: () => right.shownAttempts.clear(),
    },
    current.now,
  );
  const ofControls = routesOfControls(options, controls, right);
  const wiring = current.wire({
    right,
    faults: known.faults,
    on: () => core.live.listFaults(),
    follow: () => core.follow(),
    app: serviceApp({ dialect, fallback, ofControls, right }),
  });
  return {
    issuer,
    controls,
    live: {
      role: 'service',
      name: config.name,
      controls,
      service: liveService(controls, current.now, dialect),
    },
    fetch: recordExchanges(wiring.fetch, {
      to: 'service',
      log: exchanges,
      clock: core.clock,
      machineClock,
      report: log,
      isOutside: isControlPath,
    }),
    close: async () => {
      right.delay.close();
      if (options.db === undefined) await core.db.close();
    },
  };
}

function routesOfControls(
  { control }: MockServiceOptions,
  controls: ServiceControls,
  { config }: ServiceContext,
): readonly Route[] {
  if (control === undefined) return [];
  const { isOurHost, issuer } = config;
  return controlRoutes(controls, {
    ...control,
    issuer,
    isOurHost,
    own: serviceControlRoutes(controls),
  });
}
