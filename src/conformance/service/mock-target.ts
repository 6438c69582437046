import { createMockService, type MockServiceOptions } from '../../mock-service/index.ts';
import { type Clock, type Fetch, silentLog } from '../../runtime/index.ts';
import { type MockServing, type ServedMock, serveMock } from '../target/serve-mock.ts';
import { startTestProviders, type TestProviders } from './test-provider.ts';

/** A mock service that is judged, with the providers that it trusts. */
export interface MockTarget extends ServedMock {
  readonly providers: TestProviders;
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
    close: async () => {
      await served.close();
      await providers.close();
    },
  };
}
