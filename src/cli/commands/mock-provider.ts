import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import { audiences, bindHost, type MockOptions, readLifetimes } from '../servers/mock-options.ts';
import { explainStore, openMockDatabase } from '../servers/open-mock-database.ts';
import { PROVIDER_PORT } from '../servers/ports.ts';
import { runUntilStopped } from '../servers/run-until-stopped.ts';
import { PROVIDER_LIFETIMES, startProvider } from '../servers/start-provider.ts';
import { movedRemark } from '../servers/started-server.ts';

/** Runs the mock provider until it is stopped. */
export async function mockProvider(context: Context, options: MockOptions): Promise<Outcome> {
  const place = { host: bindHost(options), port: options.port, defaultPort: PROVIDER_PORT };
  const lifetimes = readLifetimes(options.lifetime, PROVIDER_LIFETIMES);
  const known = audiences(options);
  const db = await openMockDatabase(options);
  try {
    const provider = await explainStore(() =>
      startProvider(context, {
        place,
        options,
        db,
        lifetimes,
        audiences: async () => (known.length === 0 ? 'any' : known),
      }),
    );
    return await runUntilStopped(context, {
      provider: provider.issuer,
      remarks: movedRemark('provider', provider, options.port ?? PROVIDER_PORT),
      firstPage: options.open && provider.issuer,
      close: () => provider.served.close(),
    });
  } finally {
    await db.close();
  }
}
