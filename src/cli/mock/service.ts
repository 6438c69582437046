import { ExchangeLog } from '../../exchanges/exchange-log.ts';
import { SERVICE_FAULT_NAMES } from '../../mock-service/faults/index.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { SERVICE_PORT } from '../shell/mock-ports.ts';
import { MockLive } from './live/mock-live.ts';
import { readMockOptions } from './servers/config/read-mock-options.ts';
import { controlOf, controlToken } from './servers/control-token.ts';
import { readMetadata } from './servers/metadata.ts';
import {
  bindHost,
  checkFaults,
  type MockOptions,
  readLifetimes,
  trustedIssuers,
} from './servers/mock-options.ts';
import { openTls } from './servers/mock-tls.ts';
import { databaseFile, explainStore, openMockDatabase } from './servers/open-mock-database.ts';
import { runUntilStopped } from './servers/run-until-stopped.ts';
import { readAccess } from './servers/service-access.ts';
import { checkServiceOptions, SERVICE_LIFETIMES, startService } from './servers/start-service.ts';
import { movedRemark } from './servers/started-server.ts';

/** Runs the mock service until it is stopped. */
export async function mockService(context: Context, flags: MockOptions): Promise<Outcome> {
  const options = await readMockOptions(
    flags,
    'service',
    context.interrupt.signal,
    context.world.environment.mockConfig,
  );
  const place = { host: bindHost(options), port: options.port, defaultPort: SERVICE_PORT };
  const lifetimes = readLifetimes(options.lifetime, SERVICE_LIFETIMES);
  const trusted = trustedIssuers(options);
  checkFaults(options, SERVICE_FAULT_NAMES);
  await checkServiceOptions(options, lifetimes);
  const access = readAccess(options);
  const token = controlToken(context, options);
  const exchanges = new ExchangeLog(options.exchanges);
  const live = MockLive.of(context, { at: 'service', exchanges, controlToken: token, options });
  const metadata = readMetadata(options.metadata, 'service');
  const tls = await openTls(options, place.host, context.interrupt.signal);
  const db = await openMockDatabase(context, options);
  try {
    const service = await explainStore(() =>
      startService(context, {
        place,
        tls,
        options,
        access,
        db,
        lifetimes,
        metadata,
        controlToken: token,
        exchanges,
        live,
        trust: async () => trusted,
      }),
    );
    return await runUntilStopped(context, {
      tls,
      database: databaseFile(context, options),
      service: service.issuer,
      claimScope: access.claimScope,
      remarks: [
        ...movedRemark('service', service, options.port ?? SERVICE_PORT),
        ...access.remarks,
      ],
      control: controlOf(token, { service }),
      live,
      open: options.open === true,
      untilStdinEnds: options.untilStdinEnds,
      close: () => service.served.close(),
    });
  } finally {
    await db.close();
  }
}
