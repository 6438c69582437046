import { type ServeOptions, serve } from '../../mock-service/index.ts';
import { type Random, silentLog } from '../../runtime/index.ts';
import type { ControlUrl } from './http-control.ts';

export interface MockServing {
  readonly random: Random;
  /** How it is served. */
  readonly limits?: ServeOptions['limits'];
  /** Serves it in place of our own server: a broken one, in tests. */
  readonly serve?: typeof serve;
}

export interface ServedMock {
  /** Its URL. */
  readonly target: string;
  /** What moves its clock. */
  readonly control: ControlUrl;
  /** Ends the server and the mock. */
  close(): Promise<void>;
}

/** Serves a mock of this program on a free port, with its control API on. */
export async function serveMock(
  { random, limits, serve: serveIt = serve }: MockServing,
  create: (
    origin: string,
    control: { readonly token: string },
  ) => Promise<{
    readonly fetch: Awaited<ReturnType<ServeOptions['build']>>;
    close(): Promise<void>;
  }>,
): Promise<ServedMock> {
  const token = Buffer.from(random.bytes(24)).toString('hex');
  let close = async () => {};
  const served = await serveIt({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    limits,
    build: async (origin) => {
      const mock = await create(origin, { token });
      close = () => mock.close();
      return mock.fetch;
    },
  });
  return {
    target: served.origin,
    control: { url: served.origin, token },
    close: async () => {
      await served.close();
      await close();
    },
  };
}
