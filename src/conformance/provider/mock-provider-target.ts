import { createMockProvider, type MockProviderOptions } from '../../mock-provider/index.ts';
import { type ServeOptions, serve } from '../../mock-service/index.ts';
import { type Clock, type Fetch, type Random, type Sleep, silentLog } from '../../runtime/index.ts';
import type { ControlUrl } from '../target/http-control.ts';

export interface MockProviderTarget {
  readonly target: string;
  readonly control: ControlUrl;
  readonly consentsUri: string;
  close(): Promise<void>;
}

export interface MockProviderTargetOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: Sleep;
  readonly fetch: Fetch;
  readonly faults?: readonly string[];
  readonly mock?: Partial<MockProviderOptions>;
  /** How it is served. */
  readonly limits?: ServeOptions['limits'];
  /** Serves it in place of our own server: a broken one, in tests. */
  readonly serve?: typeof serve;
}

/** A mock provider of this program, for `--mock` and for the suite's own tests. */
export async function startMockProviderTarget(
  options: MockProviderTargetOptions,
): Promise<MockProviderTarget> {
  const { clock, fetch, random, sleep } = options;
  const token = Buffer.from(random.bytes(24)).toString('hex');
  let close = async () => {};
  const served = await (options.serve ?? serve)({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    limits: options.limits,
    build: async (origin) => {
      const provider = await createMockProvider({
        baseUrl: origin,
        clock,
        random,
        sleep,
        fetch,
        log: silentLog,
        control: { token },
        ...(options.faults && { faults: options.faults }),
        ...options.mock,
      });
      close = () => provider.close();
      return provider.fetch;
    },
  });
  return {
    target: served.origin,
    control: { url: served.origin, token },
    consentsUri: `${served.origin}/consents`,
    close: async () => {
      await served.close();
      await close();
    },
  };
}
