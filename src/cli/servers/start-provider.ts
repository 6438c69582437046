import type { Database } from '../../mock/store/database.ts';
import { DEFAULT_PROVIDER_LIFETIMES } from '../../mock-provider/lifetimes.ts';
import { createMockProvider } from '../../mock-provider/mock-provider.ts';
import type { Audience } from '../../mock-provider/options.ts';
import type { Context } from '../context.ts';
import { autoApproved, type MockOptions, pickLifetimes } from './mock-options.ts';
import { type Place, serveMock } from './serve-mock.ts';
import { checkOptions, type StartedServer } from './started-server.ts';
import { eventLog, watchRequests } from './watch.ts';

export interface ProviderSetup {
  readonly place: Place;
  readonly name?: string;
  readonly options: MockOptions;
  readonly db: Database;
  readonly lifetimes: ReadonlyMap<string, number>;
  /** Resolves once the provider is bound and its issuer known: it may wait for a service's address. */
  readonly audiences: (issuer: string) => Promise<readonly (string | Audience)[] | 'any'>;
}

export const PROVIDER_LIFETIMES = Object.keys(DEFAULT_PROVIDER_LIFETIMES);

/** Serves a mock provider. @throws CliError when the address cannot be had. */
export async function startProvider(
  context: Context,
  { place, name, options, db, lifetimes, audiences }: ProviderSetup,
): Promise<StartedServer> {
  const { world } = context;
  const log = eventLog(context, 'provider');
  const fetch = await context.fetch();
  const autoApprove = autoApproved(options);
  let issuer = '';
  const served = await serveMock(place, {
    log,
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
          log,
          db,
          audiences: known,
          lifetimes: pickLifetimes(lifetimes, DEFAULT_PROVIDER_LIFETIMES),
          ...(autoApprove !== undefined && { autoApprove }),
        }),
      );
      issuer = provider.issuer;
      return watchRequests(context, 'provider', (request) => provider.fetch(request));
    },
  });
  return { issuer, served };
}
