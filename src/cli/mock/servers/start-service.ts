import type { ExchangeLog } from '../../../exchanges/exchange-log.ts';
import type { Database } from '../../../mock/store/database.ts';
import type { ProviderClientOptions } from '../../../mock-provider/clients/provider-client.ts';
import type { TrustEntry } from '../../../mock-service/config/config.ts';
import { DEFAULT_LIFETIMES, KEY_FETCH_LIMIT } from '../../../mock-service/config/lifetimes.ts';
import { SERVICE_FAULT_NAMES } from '../../../mock-service/faults/index.ts';
import { createMockService } from '../../../mock-service/mock-service.ts';
import { resolveOptions } from '../../../mock-service/options.ts';
import { limitFetch } from '../../../runtime/system-limit-fetch.ts';
import type { Context } from '../../shell/context.ts';
import { SERVICE_PORT } from '../../shell/mock-ports.ts';
import type { MockLive } from '../live/mock-live.ts';
import { orExplain } from './explain-listen.ts';
import { later } from './later.ts';
import { type Metadata, pickMetadata } from './metadata.ts';
import {
  allowedHosts,
  type MockOptions,
  pickFaults,
  pickLifetimes,
  spokenOptions,
  trustedIssuers,
} from './mock-options.ts';
import type { MockTls } from './mock-tls.ts';
import { type Place, serveMock } from './serve-mock.ts';
import type { ServiceAccess } from './service-access.ts';
import { checkOptions, type StartedServer } from './started-server.ts';
import { eventLog, watchRequests } from './watch.ts';

interface ServiceSetup {
  readonly place: Place;
  readonly tls: MockTls | undefined;
  readonly options: MockOptions;
  readonly access: ServiceAccess;
  readonly db: Database;
  readonly lifetimes: ReadonlyMap<string, number>;
  readonly metadata: Metadata;
  /** What its controls ask for. `undefined`: it has none. */
  readonly controlToken: string | undefined;
  /** Where exchanges are written to. */
  readonly exchanges: ExchangeLog;
  /** The view that it is seen in. */
  readonly live: MockLive | undefined;
  /** Resolves once the service is bound and its issuer known: it may wait for a provider's URL. */
  readonly trust: (issuer: string) => Promise<readonly TrustEntry[]>;
}

export const SERVICE_LIFETIMES = Object.keys(DEFAULT_LIFETIMES);

/** Serves a mock service. @throws CliError when the port is not available. */
export async function startService(
  context: Context,
  {
    place,
    tls,
    options,
    access,
    db,
    lifetimes,
    metadata,
    controlToken,
    exchanges,
    live,
    trust,
  }: ServiceSetup,
): Promise<StartedServer> {
  const { world } = context;
  const log = eventLog(context, 'service');
  const fetch = limitFetch(await context.fetch(tls?.trusted), KEY_FETCH_LIMIT);
  let issuer = '';
  const served = await orExplain(
    context,
    serveMock(place, {
      log,
      tls: tls?.files,
      overrideGlobalObjects: world.ownsProcess,
      build: async (origin) => {
        const base = options.baseUrl ?? origin;
        const trusted = await trust(base);
        const service = await checkOptions(() =>
          createMockService({
            ...serviceOptions(options, lifetimes),
            baseUrl: base,
            clock: world.clock,
            random: world.random,
            fetch,
            guardedFetch: (guard) =>
              limitFetch(
                later(() => context.fetch(tls?.trusted, guard)),
                KEY_FETCH_LIMIT,
              ),
            log,
            db,
            trust: trusted,
            scopes: access.scopes,
            ...(access.resources && { resources: access.resources }),
            metadata: pickMetadata(metadata, 'service'),
            exchanges,
            ...(controlToken !== undefined && {
              control: { token: controlToken, allowRemote: options.allowRemoteControl },
            }),
          }),
        );
        issuer = service.issuer;
        const watched = watchRequests(context, 'service', (request) => service.fetch(request));
        const built = { part: service.live, origin, issuer };
        return live === undefined ? watched : live.around(watched, built);
      },
    }),
  );
  return { issuer, served };
}

/**
 * Those of its options that need no running server.
 * @throws CliError (usage) for one that the service does not take.
 */
export async function checkServiceOptions(
  options: MockOptions,
  lifetimes: ReadonlyMap<string, number>,
): Promise<void> {
  const baseUrl = options.baseUrl ?? `http://127.0.0.1:${SERVICE_PORT}`;
  await checkOptions(async () =>
    resolveOptions({
      ...serviceOptions(options, lifetimes),
      baseUrl,
      trust: trustedIssuers(options),
    }),
  );
}

function serviceOptions(options: MockOptions, lifetimes: ReadonlyMap<string, number>) {
  const { serviceName: name, vendor, type } = options;
  const faults = pickFaults(options, SERVICE_FAULT_NAMES);
  return {
    ...(name !== undefined && { name }),
    lifetimes: pickLifetimes(lifetimes, DEFAULT_LIFETIMES),
    rateLimit: options.rateLimit === true,
    acceptResourceAudience: options.acceptResourceAudience === true,
    ...(options.users && { users: options.users }),
    ...(options.codeFormat !== undefined && { codeFormat: options.codeFormat }),
    ...(options.eventBase !== undefined && { eventBase: options.eventBase }),
    ...(options.algorithm && { algorithm: options.algorithm }),
    ...spokenOptions(options),
    ...(vendor !== undefined && { vendor }),
    ...(type !== undefined && { identityTypes: type }),
    ...(options.directory && { directory: options.directory }),
    ...(options.linkExisting && { linkExisting: options.linkExisting }),
    ...(options.client && { clients: options.client.map(withoutRedirects) }),
    ...(options.allowPublic && { allowPublic: true }),
    ...(options.idJagReuse && { idJagReuse: true }),
    ...(options.jitAccounts === false && { jitAccounts: false }),
    ...(options.cors && { cors: options.cors }),
    ...(options.allowHost && { allowedHosts: allowedHosts(options) }),
    ...(faults && { faults }),
  };
}

/** Nobody signs in at a service by redirect. */
function withoutRedirects({ redirectUris: _ofTheProvider, ...client }: ProviderClientOptions) {
  return client;
}
