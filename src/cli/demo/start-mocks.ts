import { ExchangeLog } from '../../exchanges/index.ts';
import type { FetchHandler } from '../../mock/http/app.ts';
import { type Served, serve } from '../../mock/http/serve.ts';
import { openDatabase } from '../../mock/store/open-database.ts';
import { createMockProvider } from '../../mock-provider/mock-provider.ts';
import type { ServiceControls } from '../../mock-service/controls/service-controls.ts';
import { createMockService } from '../../mock-service/mock-service.ts';
import { FakeClock } from '../../runtime/fake.ts';
import { silentLog } from '../../runtime/system.ts';
import type { Context } from '../shell/context.ts';
import { DemoHarness, type DemoTranscript } from './harness.ts';

interface DemoMocks {
  readonly harness: DemoHarness;
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';

/** Both mocks on free loopback ports, on one clock that the demo moves, and the harness that uses them. */
export async function startDemoMocks(
  context: Context,
  transcript: DemoTranscript,
): Promise<DemoMocks> {
  const { world } = context;
  const clock = new FakeClock(world.clock.now());
  const network = await context.fetch();
  const exchanges = new ExchangeLog();
  const ports = { clock, random: world.random, log: silentLog, exchanges };
  const db = await openDatabase();
  const servers: Served[] = [];
  const open = async (build: (origin: string) => Promise<FetchHandler>): Promise<string> => {
    const served = await serve({
      host: HOST,
      port: 0,
      log: silentLog,
      build,
    });
    servers.push(served);
    return served.origin;
  };
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    await db.close();
  };
  try {
    const provider = await open(async (baseUrl) => {
      const mock = await createMockProvider({
        ...ports,
        name: 'Example Provider',
        fetch: network,
        baseUrl,
        db,
      });
      return mock.fetch;
    });
    let controls: ServiceControls | undefined;
    const service = await open(async (baseUrl) => {
      const mock = await createMockService({
        ...ports,
        fetch: network,
        baseUrl,
        db,
        trust: [{ issuer: provider, name: 'Example Provider' }],
      });
      controls = mock.controls;
      return mock.fetch;
    });
    const harness = new DemoHarness({
      service,
      provider,
      clock,
      random: world.random,
      fetch: network,
      transcript,
      exchanges,
      stateOf: async (id) => (await controls?.registration(id))?.state,
    });
    return { harness, close };
  } catch (error) {
    await close();
    throw error;
  }
}
