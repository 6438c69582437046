import { ExchangeLog } from '../../exchanges/exchange-log.ts';
import { PROVIDER_FAULT_NAMES } from '../../mock-provider/faults/index.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { PROVIDER_PORT } from '../shell/mock-ports.ts';
import { MockLive } from './live/mock-live.ts';
import { readMockOptions } from './servers/config/read-mock-options.ts';
import { controlOf, controlToken } from './servers/control-token.ts';
import { readMetadata } from './servers/metadata.ts';
import {
  audiences,
  bindHost,
  checkFaults,
  type MockOptions,
  readLifetimes,
} from './servers/mock-options.ts';
import { openTls } from './servers/mock-tls.ts';
import { databaseFile, explainStore, openMockDatabase } from './servers/open-mock-database.ts';
import { runUntilStopped } from './servers/run-until-stopped.ts';
import {
  checkProviderOptions,
  PROVIDER_LIFETIMES,
  startProvider,
} from './servers/start-provider.ts';
import { movedRemark } from './servers/started-server.ts';

/** Runs the mock provider until it is stopped. */
export async function mockProvider(context: Context, flags: MockOptions): Promise<Outcome> {
  const options = await readMockOptions(
    flags,
    'provider',
    context.interrupt.signal,
    context.world.environment.mockConfig,
  );
  const place = { host: bindHost(options), port: options.port, defaultPort: PROVIDER_PORT };
  const lifetimes = readLifetimes(options.lifetime, PROVIDER_LIFETIMES);
  const known = audiences(options);
  checkFaults(options, PROVIDER_FAULT_NAMES);
  await checkProviderOptions(options, lifetimes);
  const token = controlToken(context, options);
  const exchanges = new ExchangeLog(options.exchanges);
  const live = MockLive.of(context, { at: 'provider', exchanges, controlToken: token, options });
  const metadata = readMetadata(options.metadata, 'provider');
  const tls = await openTls(options, place.host, context.interrupt.signal);
  const db = await openMockDatabase(context, options);
  try {
    const provider = await explainStore(() =>
      startProvider(context, {
        place,
        tls,
        options,
        db,
        lifetimes,
        metadata,
        controlToken: token,
        exchanges,
        live,
        audiences: async () => (known.length === 0 ? 'any' : known),
      }),
    );
    return await runUntilStopped(context, {
      tls,
      database: databaseFile(context, options),
      provider: provider.issuer,
      remarks: movedRemark('provider', provider, options.port ?? PROVIDER_PORT),
      control: controlOf(token, { provider }),
      live,
      open: options.open === true,
      untilStdinEnds: options.untilStdinEnds,
      close: () => provider.served.close(),
    });
  } finally {
    await db.close();
  }
}
