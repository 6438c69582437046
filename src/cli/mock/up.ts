import { PROVIDER_FAULT_NAMES } from '../../mock-provider/faults/index.ts';
import { SERVICE_FAULT_NAMES } from '../../mock-service/faults/index.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { PROVIDER_PORT, SERVICE_PORT } from '../shell/mock-ports.ts';
import { readMockOptions } from './servers/config/read-mock-options.ts';
import { controlOf, controlToken } from './servers/control-token.ts';
import {
  audiences,
  bindHost,
  checkFaults,
  type MockOptions,
  readLifetimes,
  trustedIssuers,
} from './servers/mock-options.ts';
import { openTls } from './servers/mock-tls.ts';
import { explainStore, openMockDatabase } from './servers/open-mock-database.ts';
import { runUntilStopped } from './servers/run-until-stopped.ts';
import { startBoth } from './servers/start-both.ts';
import { PROVIDER_LIFETIMES } from './servers/start-provider.ts';
import { SERVICE_LIFETIMES } from './servers/start-service.ts';
import { movedRemark } from './servers/started-server.ts';

/** Runs the mock service and the mock provider, each known to the other, until they are stopped. */
export async function mockUp(context: Context, flags: MockOptions): Promise<Outcome> {
  const options = await readMockOptions(flags, 'up', context.interrupt.signal);
  const host = bindHost(options);
  const lifetimes = readLifetimes(options.lifetime, [
    ...new Set([...SERVICE_LIFETIMES, ...PROVIDER_LIFETIMES]),
  ]);
  const { port } = options;
  const after = port === undefined || port === 0 ? port : port + 1;
  checkFaults(options, [...SERVICE_FAULT_NAMES, ...PROVIDER_FAULT_NAMES]);
  const token = controlToken(context, options);
  const tls = await openTls(options, host, context.interrupt.signal);
  const db = await openMockDatabase(context, options);
  try {
    const { service, provider } = await explainStore(() =>
      startBoth(context, {
        tls,
        options,
        db,
        lifetimes,
        controlToken: token,
        servicePlace: { host, port, defaultPort: SERVICE_PORT },
        providerPlace: { host, port: after, defaultPort: PROVIDER_PORT },
        trusted: trustedIssuers(options),
        audiences: audiences(options),
      }),
    );
    return await runUntilStopped(context, {
      tls,
      service: service.issuer,
      provider: provider.issuer,
      remarks: [
        ...movedRemark('service', service, port ?? SERVICE_PORT),
        ...movedRemark('provider', provider, after ?? PROVIDER_PORT),
      ],
      control: controlOf(token, { service, provider }),
      firstPage: options.open === true ? `${service.issuer}/connections` : undefined,
      close: async () => {
        await Promise.all([service.served.close(), provider.served.close()]);
      },
    });
  } finally {
    await db.close();
  }
}
