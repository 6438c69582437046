import { createMockProvider, type MockProviderOptions } from '../../mock-provider/index.ts';
import { type Clock, type Fetch, type Sleep, silentLog } from '../../runtime/index.ts';
import { type MockServing, type ServedMock, serveMock } from '../target/serve-mock.ts';

/** A mock provider that is judged. */
export interface MockProviderTarget extends ServedMock {
  readonly consentsUri: string;
}

/** What the mock provider is made of; `mock` are further options. */
export interface MockProviderTargetOptions extends MockServing {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly fetch: Fetch;
  readonly faults?: NonNullable<MockProviderOptions['faults']>;
  readonly mock?: Partial<MockProviderOptions>;
}

/** A mock provider of this program, for `--mock` and for the suite's own tests. */
export async function startMockProviderTarget(
  options: MockProviderTargetOptions,
): Promise<MockProviderTarget> {
  const { clock, fetch, random, sleep } = options;
  const served = await serveMock(options, (baseUrl, control) =>
    createMockProvider({
      baseUrl,
      clock,
      random,
      sleep,
      fetch,
      log: silentLog,
      control,
      ...(options.faults && { faults: options.faults }),
      ...options.mock,
    }),
  );
  return { ...served, consentsUri: `${served.target}/consents` };
}
