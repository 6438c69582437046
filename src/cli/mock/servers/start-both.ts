import type { ExchangeLog } from '../../../exchanges/exchange-log.ts';
import type { Database } from '../../../mock/store/database.ts';
import type { Audience } from '../../../mock-provider/config/config.ts';
import type { TrustEntry } from '../../../mock-service/config/config.ts';
import type { Context } from '../../shell/context.ts';
import type { MockLive } from '../live/mock-live.ts';
import type { Metadata } from './metadata.ts';
import type { MockOptions } from './mock-options.ts';
import type { MockTls } from './mock-tls.ts';
import type { Place } from './serve-mock.ts';
import type { ServiceAccess } from './service-access.ts';
import { startProvider } from './start-provider.ts';
import { startService } from './start-service.ts';
import type { StartedServer } from './started-server.ts';

/** How each calls itself, and the other before its users. */
const SERVICE_NAME = 'Example Service';
const PROVIDER_NAME = 'Example Provider';

interface BothSetup {
  readonly tls: MockTls | undefined;
  readonly options: MockOptions;
  readonly access: ServiceAccess;
  readonly db: Database;
  readonly lifetimes: ReadonlyMap<string, number>;
  readonly metadata: Metadata;
  readonly controlToken: string | undefined;
  /** One for both: their exchanges in one order. */
  readonly exchanges: ExchangeLog;
  readonly live: MockLive | undefined;
  readonly servicePlace: Place;
  readonly providerPlace: Place;
  /** Issuers that are trusted in addition to the provider. */
  readonly trusted: readonly TrustEntry[];
  /** The only services that the provider mints for beside the service. None: it mints for any. */
  readonly audiences: readonly ('any' | Audience)[];
}

export interface Both {
  readonly service: StartedServer;
  readonly provider: StartedServer;
}

/**
 * Serves both mocks. Each is configured with the other's URL, which is known once its port is bound: so
 * the service is bound, then the provider, and then both are built.
 */
export async function startBoth(context: Context, setup: BothSetup): Promise<Both> {
  const { tls, options, db, lifetimes, metadata, controlToken, exchanges, live } = setup;
  const serviceIssuer = new Known<string>();
  const providerIssuer = new Known<string>();
  const starting = startService(context, {
    place: setup.servicePlace,
    tls,
    options,
    access: setup.access,
    db,
    lifetimes,
    metadata,
    controlToken,
    exchanges,
    live,
    trust: async (issuer) => {
      serviceIssuer.is(issuer);
      return [
        { issuer: await providerIssuer.value, name: options.providerName ?? PROVIDER_NAME },
        ...setup.trusted,
      ];
    },
  });
  starting.catch((error) => serviceIssuer.failed(error));
  // Bound one after the other, or both would try the same free port.
  await serviceIssuer.value;
  const following = startProvider(context, {
    place: setup.providerPlace,
    tls,
    options: forProvider(options),
    db,
    lifetimes,
    metadata,
    controlToken,
    exchanges,
    live,
    audiences: async (issuer) => {
      providerIssuer.is(issuer);
      const own = {
        issuer: await serviceIssuer.value,
        name: options.serviceName ?? SERVICE_NAME,
      };
      return setup.audiences.length === 0 ? ['any', own] : [own, ...setup.audiences];
    },
  });
  // A provider that fails to start ends the service that waits for it.
  following.catch((error) => providerIssuer.failed(error));

  const [service, provider] = await Promise.allSettled([starting, following]);
  if (service.status === 'fulfilled' && provider.status === 'fulfilled') {
    return { service: service.value, provider: provider.value };
  }
  const results = [service, provider];
  for (const result of results)
    if (result.status === 'fulfilled') await result.value.served.close();
  throw results.find((result) => result.status === 'rejected')?.reason;
}

/** `--base-url` is the service's. */
export function forProvider({ baseUrl: _, providerBaseUrl, ...options }: MockOptions): MockOptions {
  return { ...options, ...(providerBaseUrl !== undefined && { baseUrl: providerBaseUrl }) };
}

/** A value that becomes known later, or turns out never to be. */
class Known<T> {
  readonly value: Promise<T>;
  is: (value: T) => void = () => {};
  failed: (reason: unknown) => void = () => {};

  constructor() {
    this.value = new Promise((resolve, reject) => {
      this.is = resolve;
      this.failed = reject;
    });
    // The caller reports the failure, so it is no unhandled rejection here.
    this.value.catch(() => {});
  }
}
