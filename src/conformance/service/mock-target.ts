import { createMockService, type MockServiceOptions } from '../../mock-service/index.ts';
import { type Clock, type Fetch, silentLog } from '../../runtime/index.ts';
import { type MockServing, type ServedMock, serveMock } from '../target/serve-mock.ts';
import type { CrossAppOptions } from './cross-app/given.ts';
import { CLIENT_PATHS, startTestProviders, type TestProviders } from './test-provider.ts';

/** A mock service that is judged, with the providers that it trusts. */
export interface MockTarget extends ServedMock {
  readonly providers: TestProviders;
  /** The clients and resources that it was configured with. */
  readonly crossApp: CrossAppOptions;
}

/** What the mock service is made of; `mock` are further options. */
export interface MockTargetOptions extends MockServing {
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly faults?: NonNullable<MockServiceOptions['faults']>;
  readonly mock?: Partial<MockServiceOptions>;
}

/** A mock service of this program, for `--mock` and for the suite's own tests. */
export async function startMockTarget(options: MockTargetOptions): Promise<MockTarget> {
  const { clock, random, fetch } = options;
  const providers = await startTestProviders({ clock, random, port: 0 });
  // What Basic credentials have to encode is in the second one.
  const secret = () => Buffer.from(random.bytes(24)).toString('hex');
  const clients = [
    { id: 'conformance', secret: secret() },
    { id: 'conformance/other', secret: `:%+ ${secret()}` },
  ];
  const { issuer } = providers.provider;
  const served = await serveMock(options, (baseUrl, control) =>
    createMockService({
      baseUrl,
      clock,
      random,
      fetch,
      log: silentLog,
      trust: [providers.provider, providers.other].map(({ issuer, jwksUri }) => ({
        issuer,
        jwksUri,
        name: 'Conformance provider',
      })),
      control,
      // An open mock promises less: any client is taken there.
      clients: [...clients, ...Object.values(CLIENT_PATHS).map((path) => ({ id: issuer + path }))],
      ...(options.faults && { faults: options.faults }),
      ...options.mock,
    }),
  ).catch(async (error: unknown) => {
    await providers.close();
    throw error;
  });
  return {
    ...served,
    providers,
    crossApp: { clients, resources: ['/api/resource', '/mcp'] },
    close: async () => {
      await served.close();
      await providers.close();
    },
  };
}
