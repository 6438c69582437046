import type { FetchHandler } from '../../mock/http/app.ts';
import { type Served, serve } from '../../mock/http/serve.ts';
import { openDatabase } from '../../mock/store/open-database.ts';
import { createMockProvider } from '../../mock-provider/mock-provider.ts';
import type { ServiceControls } from '../../mock-service/controls/service-controls.ts';
import { createMockService } from '../../mock-service/mock-service.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { FakeClock } from '../../runtime/fake.ts';
import { silentLog } from '../../runtime/system.ts';
import { ExchangeLog } from '../../traffic/index.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { runAnonymous, runExistingAccount, runIdentityAssertion, runServiceAuth } from './flows.ts';
import { DemoHarness, type DemoTranscript, type Ending } from './harness.ts';
import { printTranscript } from './transcript.ts';

/** A line that nobody's terminal wraps. */
const PIPED_WIDTH = 140;

/** All flows between a real agent and real servers, on a clock that jumps instead of waiting. */
export async function demo(context: Context): Promise<Outcome> {
  const { options, output, world } = context;
  if (options.service !== undefined) {
    throw usageError('The demo runs its own servers and takes no --service.', {
      code: 'options_clash',
      hint: 'To try a service of yours, use connect.',
      next: nextLine(context, 'connect', options.service),
    });
  }
  const { stdout } = world.streams;
  const started = world.clock.now();
  const width = stdout.isTTY ? stdout.columns : PIPED_WIDTH;
  const mocks = await startDemoMocks(context, printTranscript(output, width));
  try {
    const { harness } = mocks;
    for (const flow of [runAnonymous, runServiceAuth, runIdentityAssertion, runExistingAccount]) {
      context.interrupt.signal.throwIfAborted();
      await flow(harness);
    }
    return output.result(
      presentDemoSummary(context, {
        endings: harness.endings,
        exchanges: harness.exchanges,
        simulated: harness.clock.now() - started,
        took: world.clock.now() - started,
      }),
    );
  } finally {
    await mocks.close();
  }
}

interface DemoSummary {
  readonly endings: readonly Ending[];
  readonly exchanges: number;
  /** On the demo's clock, in milliseconds. */
  readonly simulated: number;
  /** On the machine's clock, in milliseconds. */
  readonly took: number;
}

function presentDemoSummary(context: Context, summary: DemoSummary): Rendering {
  const { endings, exchanges, simulated, took } = summary;
  const next = nextLine(context, 'mock up');
  const others = [
    nextLine(context, 'connect'),
    nextLine(context, 'connect', '--scope', 'api.write', '--email', 'alice@example.com'),
  ];
  return {
    schema: 'demoSummary',
    json: () => ({
      exchanges,
      told_ms: simulated,
      took_ms: took,
      registrations: endings.map(({ title, registrationId, state }) => ({
        act: title,
        registration_id: registrationId,
        state,
      })),
      next,
      others,
    }),
    human: (style) =>
      [
        '',
        style.bold('Summary'),
        '',
        table(
          endings.map(({ title, registrationId, state }) => [
            `  ${title}`,
            registrationId,
            state === 'claimed' ? style.green(state) : style.red(state),
          ]),
        ),
        '',
        `  ${exchanges} exchanges; ${describeDuration(simulated)} on the demo’s clock in ${(took / 1000).toFixed(1)} seconds.`,
        '',
        'Do it yourself, in two terminals:',
        ...[next, ...others].map(({ line }) => `  ${style.cyan(line)}`),
      ].join('\n'),
  };
}

interface DemoMocks {
  readonly harness: DemoHarness;
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';

/** Both mocks on free loopback ports, on one clock that the demo moves, and the harness that uses them. */
async function startDemoMocks(context: Context, transcript: DemoTranscript): Promise<DemoMocks> {
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
