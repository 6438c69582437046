import type { Database } from '../../../mock/store/database.ts';
import type { TrustEntry } from '../../../mock-service/config/config.ts';
import { DEFAULT_LIFETIMES } from '../../../mock-service/config/lifetimes.ts';
import { SERVICE_FAULT_NAMES } from '../../../mock-service/faults/index.ts';
import { createMockService } from '../../../mock-service/mock-service.ts';
import type { Context } from '../../shell/context.ts';
import { orExplain } from './explain-listen.ts';
import { type MockOptions, pickFaults, pickLifetimes } from './mock-options.ts';
import type { MockTls } from './mock-tls.ts';
import { type Place, serveMock } from './serve-mock.ts';
import { checkOptions, type StartedServer } from './started-server.ts';
import { eventLog, watchRequests } from './watch.ts';

interface ServiceSetup {
  readonly place: Place;
  readonly tls: MockTls | undefined;
  readonly options: MockOptions;
  readonly db: Database;
  readonly lifetimes: ReadonlyMap<string, number>;
  /** What its controls ask for. `undefined`: it has none. */
  readonly controlToken: string | undefined;
  /** Resolves once the service is bound and its issuer known: it may wait for a provider's URL. */
  readonly trust: (issuer: string) => Promise<readonly TrustEntry[]>;
}

export const SERVICE_LIFETIMES = Object.keys(DEFAULT_LIFETIMES);

/** Serves a mock service. @throws CliError when the port is not available. */
export async function startService(
  context: Context,
  { place, tls, options, db, lifetimes, controlToken, trust }: ServiceSetup,
): Promise<StartedServer> {
  const { world } = context;
  const log = eventLog(context, 'service');
  const { baseUrl, serviceName: name, vendor, type } = options;
  const faults = pickFaults(options, SERVICE_FAULT_NAMES);
  const fetch = await context.fetch(tls?.trusted);
  let issuer = '';
  const served = await orExplain(
    context,
    serveMock(place, {
      log,
      tls: tls?.files,
      build: async (origin) => {
        const base = baseUrl ?? origin;
        const trusted = await trust(base);
        const service = await checkOptions(() =>
          createMockService({
            baseUrl: base,
            ...(name !== undefined && { name }),
            clock: world.clock,
            random: world.random,
            fetch,
            log,
            db,
            trust: trusted,
            lifetimes: pickLifetimes(lifetimes, DEFAULT_LIFETIMES),
            rateLimit: options.rateLimit === true,
            acceptResourceAudience: options.acceptResourceAudience === true,
            ...(options.users && { users: options.users }),
            ...(options.eventBase !== undefined && { eventBase: options.eventBase }),
            ...(options.algorithm && { algorithm: options.algorithm }),
            ...(vendor !== undefined && { vendor }),
            ...(type !== undefined && { identityTypes: type }),
            ...(faults && { faults }),
            ...(controlToken !== undefined && { control: { token: controlToken } }),
          }),
        );
        issuer = service.issuer;
        return watchRequests(context, 'service', (request) => service.fetch(request));
      },
    }),
  );
  return { issuer, served };
}
