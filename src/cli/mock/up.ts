import { ExchangeLog } from '../../exchanges/exchange-log.ts';
import { PROVIDER_FAULT_NAMES } from '../../mock-provider/faults/index.ts';
import { SERVICE_FAULT_NAMES } from '../../mock-service/faults/index.ts';
import { isSameOrigin, withoutFinalSlash } from '../../protocol/urls.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { PROVIDER_PORT, SERVICE_PORT } from '../shell/mock-ports.ts';
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
  trustedIssuers,
} from './servers/mock-options.ts';
import { openTls } from './servers/mock-tls.ts';
import { databaseFile, explainStore, openMockDatabase } from './servers/open-mock-database.ts';
import { runUntilStopped } from './servers/run-until-stopped.ts';
import { readAccess } from './servers/service-access.ts';
import { forProvider, startBoth } from './servers/start-both.ts';
import { checkProviderOptions, PROVIDER_LIFETIMES } from './servers/start-provider.ts';
import { checkServiceOptions, SERVICE_LIFETIMES } from './servers/start-service.ts';
import { movedRemark } from './servers/started-server.ts';

/** Runs the mock service and the mock provider, each known to the other, until they are stopped. */
export async function mockUp(context: Context, flags: MockOptions): Promise<Outcome> {
  const options = await readMockOptions(
    flags,
    'up',
    context.interrupt.signal,
    context.world.environment.mockConfig,
  );
  const host = bindHost(options);
  checkBaseUrls(options);
  const lifetimes = readLifetimes(options.lifetime, [
    ...new Set([...SERVICE_LIFETIMES, ...PROVIDER_LIFETIMES]),
  ]);
  const { port } = options;
  const after = options.providerPort ?? (port === undefined || port === 0 ? port : port + 1);
  if (after !== undefined && after !== 0 && after === port) {
    throw usageError(`--provider-port cannot be ${after}, which is --port.`, {
      hint: 'Each mock listens on a port of its own.',
    });
  }
  if (after === 65_536) {
    throw usageError("Invalid --port '65535'.", {
      hint: 'The provider takes the port after it, so use a number from 0 to 65534, or name --provider-port.',
    });
  }
  checkFaults(options, [...SERVICE_FAULT_NAMES, ...PROVIDER_FAULT_NAMES]);
  await checkServiceOptions(options, lifetimes);
  await checkProviderOptions(forProvider(options), lifetimes);
  const access = readAccess(options);
  const token = controlToken(context, options);
  const exchanges = new ExchangeLog(options.exchanges);
  const live = MockLive.of(context, { at: 'service', exchanges, controlToken: token, options });
  const metadata = readMetadata(options.metadata, 'up');
  const tls = await openTls(options, host, context.interrupt.signal);
  const db = await openMockDatabase(context, options);
  try {
    const { service, provider } = await explainStore(() =>
      startBoth(context, {
        tls,
        options,
        access,
        db,
        lifetimes,
        metadata,
        controlToken: token,
        exchanges,
        live,
        servicePlace: { host, port, defaultPort: SERVICE_PORT },
        providerPlace: { host, port: after, defaultPort: PROVIDER_PORT },
        trusted: trustedIssuers(options),
        audiences: audiences(options),
      }),
    );
    return await runUntilStopped(context, {
      tls,
      database: databaseFile(context, options),
      service: service.issuer,
      claimScope: access.claimScope,
      provider: provider.issuer,
      remarks: [
        ...movedRemark('service', service, port ?? SERVICE_PORT),
        ...movedRemark('provider', provider, after ?? PROVIDER_PORT),
        ...access.remarks,
      ],
      control: controlOf(token, { service, provider }),
      live,
      open: options.open === true,
      untilStdinEnds: options.untilStdinEnds,
      close: async () => {
        await Promise.all([service.served.close(), provider.served.close()]);
      },
    });
  } finally {
    await db.close();
  }
}

/** @throws CliError (usage) for two mocks of one issuer. */
function checkBaseUrls({ baseUrl, providerBaseUrl }: MockOptions): void {
  if (baseUrl === undefined || providerBaseUrl === undefined) return;
  if (!isSameOrigin(baseUrl, providerBaseUrl)) return;
  throw usageError(
    `--provider-base-url cannot be ${withoutFinalSlash(baseUrl)}, which is --base-url.`,
    { hint: 'Each mock is an issuer of its own, so use two origins.' },
  );
}
