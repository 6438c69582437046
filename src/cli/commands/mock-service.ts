import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import {
  bindHost,
  type MockOptions,
  readLifetimes,
  trustedIssuers,
} from '../servers/mock-options.ts';
import { explainStore, openMockDatabase } from '../servers/open-mock-database.ts';
import { SERVICE_PORT } from '../servers/ports.ts';
import { runUntilStopped } from '../servers/run-until-stopped.ts';
import { SERVICE_LIFETIMES, startService } from '../servers/start-service.ts';
import { movedRemark } from '../servers/started-server.ts';

/** Runs the mock service until it is stopped. */
export async function mockService(context: Context, options: MockOptions): Promise<Outcome> {
  const place = { host: bindHost(options), port: options.port, defaultPort: SERVICE_PORT };
  const lifetimes = readLifetimes(options.lifetime, SERVICE_LIFETIMES);
  const trusted = trustedIssuers(options);
  const db = await openMockDatabase(options);
  try {
    const service = await explainStore(() =>
      startService(context, { place, options, db, lifetimes, trust: async () => trusted }),
    );
    return await runUntilStopped(context, {
      service: service.issuer,
      remarks: movedRemark('service', service, options.port ?? SERVICE_PORT),
      firstPage: options.open && `${service.issuer}/connections`,
      close: () => service.served.close(),
    });
  } finally {
    await db.close();
  }
}
