import type { Database } from '../../../mock/store/database.ts';
import type { Audience } from '../../../mock-provider/config/config.ts';
import { DEFAULT_PROVIDER_LIFETIMES } from '../../../mock-provider/config/lifetimes.ts';
import { PROVIDER_FAULT_NAMES } from '../../../mock-provider/faults/index.ts';
import { createMockProvider } from '../../../mock-provider/mock-provider.ts';
import type { Context } from '../../shell/context.ts';
import { orExplain } from './explain-listen.ts';
import { autoApproved, type MockOptions, pickFaults, pickLifetimes } from './mock-options.ts';
import type { MockTls } from './mock-tls.ts';
import { type Place, serveMock } from './serve-mock.ts';
import { checkOptions, type StartedServer } from './started-server.ts';
import { eventLog, watchRequests } from './watch.ts';

interface ProviderSetup {
  readonly place: Place;
  readonly tls: MockTls | undefined;
  readonly options: MockOptions;
  readonly db: Database;
  readonly lifetimes: ReadonlyMap<string, number>;
  /** What its controls ask for. `undefined`: it has none. */
  readonly controlToken: string | undefined;
  /** Resolves once the provider is bound and its issuer known: it may wait for a service's URL. */
  readonly audiences: (issuer: string) => Promise<readonly (string | Audience)[] | 'any'>;
}

export const PROVIDER_LIFETIMES = Object.keys(DEFAULT_PROVIDER_LIFETIMES);

/** Serves a mock provider. @throws CliError when the port is not available. */
export async function startProvider(
  context: Context,
  { place, tls, options, db, lifetimes, controlToken, audiences }: ProviderSetup,
): Promise<StartedServer> {
  const { world } = context;
  const log = eventLog(context, 'provider');
  const fetch = await context.fetch(tls?.trusted);
  const { providerName: name, clientId, clientName } = options;
  const autoApprove = autoApproved(options);
  const faults = pickFaults(options, PROVIDER_FAULT_NAMES);
  let issuer = '';
  let stop = async () => {};
  const served = await orExplain(
    context,
    serveMock(place, {
      log,
      tls: tls?.files,
      build: async (origin) => {
        const base = options.baseUrl ?? origin;
        const known = await audiences(base);
        const provider = await checkOptions(() =>
          createMockProvider({
            baseUrl: base,
            ...(name !== undefined && { name }),
            clock: world.clock,
            random: world.random,
            fetch,
            sleep: world.sleep,
            log,
            db,
            audiences: known,
            lifetimes: pickLifetimes(lifetimes, DEFAULT_PROVIDER_LIFETIMES),
            ...(options.users && { users: options.users }),
            ...(options.algorithm && { algorithm: options.algorithm }),
            ...(clientId !== undefined && { clientId }),
            ...(clientName !== undefined && { clientName }),
            ...(autoApprove !== undefined && { autoApprove }),
            ...(faults && { faults }),
            ...(controlToken !== undefined && { control: { token: controlToken } }),
          }),
        );
        issuer = provider.issuer;
        stop = () => provider.close();
        return watchRequests(context, 'provider', (request) => provider.fetch(request));
      },
    }),
  );
  // First what it does by itself: a service that hangs must not hold up the end.
  const close = async () => {
    await stop();
    await served.close();
  };
  return { issuer, served: { ...served, close } };
}
