import type { ExchangeLog } from '../../../exchanges/exchange-log.ts';
import type { Database } from '../../../mock/store/database.ts';
import type { Audience } from '../../../mock-provider/config/config.ts';
import { DEFAULT_PROVIDER_LIFETIMES } from '../../../mock-provider/config/lifetimes.ts';
import { PROVIDER_FAULT_NAMES } from '../../../mock-provider/faults/index.ts';
import { createMockProvider } from '../../../mock-provider/mock-provider.ts';
import { resolveOptions } from '../../../mock-provider/options.ts';
import type { Context } from '../../shell/context.ts';
import { PROVIDER_PORT } from '../../shell/mock-ports.ts';
import type { MockLive } from '../live/mock-live.ts';
import { orExplain } from './explain-listen.ts';
import { later } from './later.ts';
import { type Metadata, pickMetadata } from './metadata.ts';
import {
  allowedHosts,
  audiences as knownAudiences,
  type MockOptions,
  pickFaults,
  pickLifetimes,
} from './mock-options.ts';
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
  readonly metadata: Metadata;
  /** What its controls ask for. `undefined`: it has none. */
  readonly controlToken: string | undefined;
  /** Where exchanges are written to. */
  readonly exchanges: ExchangeLog;
  /** The view that it is seen in. */
  readonly live: MockLive | undefined;
  /** Resolves once the provider is bound and its issuer known: it may wait for a service's URL. */
  readonly audiences: (issuer: string) => Promise<readonly (string | Audience)[] | 'any'>;
}

export const PROVIDER_LIFETIMES = Object.keys(DEFAULT_PROVIDER_LIFETIMES);

/** Serves a mock provider. @throws CliError when the port is not available. */
export async function startProvider(
  context: Context,
  {
    place,
    tls,
    options,
    db,
    lifetimes,
    metadata,
    controlToken,
    exchanges,
    live,
    audiences,
  }: ProviderSetup,
): Promise<StartedServer> {
  const { world } = context;
  const log = eventLog(context, 'provider');
  const fetch = await context.fetch(tls?.trusted);
  let issuer = '';
  let stop = async () => {};
  const served = await orExplain(
    context,
    serveMock(place, {
      log,
      tls: tls?.files,
      overrideGlobalObjects: world.ownsProcess,
      build: async (origin) => {
        const base = options.baseUrl ?? origin;
        const known = await audiences(base);
        const provider = await checkOptions(() =>
          createMockProvider({
            ...providerOptions(options, lifetimes),
            baseUrl: base,
            clock: world.clock,
            random: world.random,
            fetch,
            guardedFetch: (guard) => later(() => context.fetch(tls?.trusted, guard)),
            sleep: world.sleep,
            log,
            db,
            audiences: known,
            metadata: pickMetadata(metadata, 'provider'),
            exchanges,
            ...(controlToken !== undefined && {
              control: { token: controlToken, allowRemote: options.allowRemoteControl },
            }),
          }),
        );
        issuer = provider.issuer;
        stop = () => provider.close();
        const watched = watchRequests(context, 'provider', (request) => provider.fetch(request));
        const built = { part: provider.live, origin, issuer };
        return live === undefined ? watched : live.around(watched, built);
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

/**
 * Those of its options that need no running server.
 * @throws CliError (usage) for one that the provider does not take.
 */
export async function checkProviderOptions(
  options: MockOptions,
  lifetimes: ReadonlyMap<string, number>,
): Promise<void> {
  const baseUrl = options.baseUrl ?? `http://127.0.0.1:${PROVIDER_PORT}`;
  const known = knownAudiences(options);
  await checkOptions(async () =>
    resolveOptions({
      ...providerOptions(options, lifetimes),
      baseUrl,
      audiences: known.length === 0 ? 'any' : known,
    }),
  );
}

function providerOptions(options: MockOptions, lifetimes: ReadonlyMap<string, number>) {
  const { autoApprove, clientId, clientName, providerName: name } = options;
  const faults = pickFaults(options, PROVIDER_FAULT_NAMES);
  return {
    ...(name !== undefined && { name }),
    lifetimes: pickLifetimes(lifetimes, DEFAULT_PROVIDER_LIFETIMES),
    ...(options.users && { users: options.users }),
    // What verifiers take that were told nothing.
    algorithm: options.algorithm ?? 'RS256',
    ...(clientId !== undefined && { clientId }),
    ...(clientName !== undefined && { clientName }),
    ...(autoApprove !== undefined && { autoApprove }),
    ...(options.client && { clients: options.client }),
    ...(options.agentAuth === false && { agentAuth: false }),
    ...(options.policy && { policy: options.policy }),
    ...(options.claims && { claims: options.claims }),
    ...(options.clientMapping && { clientMapping: options.clientMapping }),
    ...(options.cors && { cors: options.cors }),
    ...(options.allowHost && { allowedHosts: allowedHosts(options) }),
    ...(faults && { faults }),
  };
}
