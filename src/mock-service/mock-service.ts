import { resolveClient } from '../mock/clients/client.ts';
import { isControlPath } from '../mock/controls/control-paths.ts';
import { controlRoutes } from '../mock/controls/control-routes.ts';
import { LiveValue } from '../mock/controls/live-value.ts';
import { MockCore } from '../mock/controls/mock-core.ts';
import { Current } from '../mock/faults/wiring.ts';
import { createApp, type FetchHandler } from '../mock/http/app.ts';
import { documentRoute } from '../mock/http/openapi-route.ts';
import { type Envelope, pathOf, type Route } from '../mock/http/request.ts';
import type { LivePart } from '../mock/live/live-part.ts';
import { misdirectedPage } from '../mock/pages/misdirected-page.ts';
import { emptyTables } from '../mock/store/tables.ts';
import { recordExchanges } from '../mock/traffic/record-exchanges.ts';
import type { DialectId } from '../protocol/constants.ts';
import { exchangeLog } from '../traffic/exchange-log.ts';
import { serviceParts } from './assembly/service-parts.ts';
import type { ServiceConfig } from './config/config.ts';
import { describesItself } from './config/config.ts';
import { PATHS } from './config/paths.ts';
import type { ServiceContext } from './context/service-context.ts';
import { serviceControlRoutes } from './controls/control-routes.ts';
import { ServiceControls } from './controls/service-controls.ts';
import type { ServiceDialect } from './dialects/dialect.ts';
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
      afterReset: () => right.secrets.shown.clear(),
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

interface AppParts {
  readonly dialect: DialectId;
  /** Renders problems that belong to no route. */
  readonly fallback: Envelope;
  readonly ofControls: readonly Route[];
  readonly right: ServiceContext;
}

/** Builds the application of a service, as it is wired. */
function serviceApp({ dialect, fallback, ofControls, right }: AppParts) {
  const { clock, config, log } = right;
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
  return (service: ServiceContext, prepare: (request: Request) => void): FetchHandler =>
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
        prepare,
      }),
    );
}

function documentedElsewhere(dialect: string, issuer: string): string {
  return `The OpenAPI document is of the dialect flat, and this mock speaks ${dialect}: ${issuer}/auth.md says what to send, and the transcripts of the package (agent-auth/transcripts/${dialect}-anonymous.json and its like) show it.`;
}

/** What a dialect speaks at; pages, resources, the directory and the controls have their own answers. */
const ENDPOINTS: ReadonlySet<string> = new Set([
  PATHS.identity,
  PATHS.claim,
  PATHS.complete,
  PATHS.token,
  PATHS.revocation,
  PATHS.events,
]);

/** The application with the last word of the dialect on what its endpoints answer. */
function saying({ says }: ServiceDialect, app: FetchHandler): FetchHandler {
  if (says === undefined) return app;
  return async (request) => {
    const response = await app(request);
    return ENDPOINTS.has(pathOf(request.url)) ? says(response, request) : response;
  };
}
