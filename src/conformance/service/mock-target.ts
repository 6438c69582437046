import {
  createMockService,
  type MockServiceOptions,
  type ServeOptions,
  serve,
} from '../../mock-service/index.ts';
import { type Clock, type Fetch, type Random, silentLog } from '../../runtime/index.ts';
import type { ControlUrl } from '../target/http-control.ts';
import { startTestProviders, type TestProviders } from './test-provider.ts';

export interface MockTarget {
  readonly target: string;
  readonly control: ControlUrl;
  readonly providers: TestProviders;
  close(): Promise<void>;
}

export interface MockTargetOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly fetch: Fetch;
  readonly faults?: readonly string[];
  readonly mock?: Partial<MockServiceOptions>;
  /** How it is served. */
  readonly limits?: ServeOptions['limits'];
  /** Serves it in place of our own server: a broken one, in tests. */
  readonly serve?: typeof serve;
}

/** A mock service of this program, for `--mock` and for the suite's own tests. */
export async function startMockTarget(options: MockTargetOptions): Promise<MockTarget> {
  const { clock, random, fetch } = options;
  const providers = await startTestProviders({ clock, random, port: 0 });
  const token = Buffer.from(random.bytes(24)).toString('hex');
  let close = async () => {};
  const served = await (options.serve ?? serve)({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    limits: options.limits,
    build: async (origin) => {
      const service = await createMockService({
        baseUrl: origin,
        clock,
        random,
        fetch,
        log: silentLog,
        trust: [providers.provider, providers.other].map(({ issuer, jwksUri }) => ({
          issuer,
          jwksUri,
          name: 'Conformance provider',
        })),
        control: { token },
        ...(options.faults && { faults: options.faults }),
        ...options.mock,
      });
      close = () => service.close();
      return service.fetch;
    },
  });
  return {
    target: served.origin,
    control: { url: served.origin, token },
    providers,
    close: async () => {
      await served.close();
      await close();
      await providers.close();
    },
  };
}
