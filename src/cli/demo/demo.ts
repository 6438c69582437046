import { type ServedMock, serveMock } from '../../conformance/target/serve-mock.ts';
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
import { lineWidth } from '../terminal/exchange-line.ts';
import { table } from '../terminal/table.ts';
import { runAnonymous, runExistingAccount, runIdentityAssertion, runServiceAuth } from './flows.ts';
import { DemoHarness, type Ending } from './harness.ts';
import { type DemoTranscript, printTranscript } from './transcript.ts';

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
  const started = world.clock.now();
  const transcript = printTranscript(output, lineWidth(world.streams.stdout));
  const mocks = await startDemoMocks(context, transcript);
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
  /** How long the demo took on its own clock, in milliseconds. */
  readonly simulated: number;
  /** How long it took on the machine's clock, in milliseconds. */
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

/** Starts both mocks on free loopback ports, on one clock that the demo moves, and the harness that uses them. */
async function startDemoMocks(context: Context, transcript: DemoTranscript): Promise<DemoMocks> {
  const { random } = context.world;
  const clock = new FakeClock(context.world.clock.now());
  const fetch = await context.fetch();
  const exchanges = new ExchangeLog();
  const db = await openDatabase();
  const shared = { clock, random, log: silentLog, exchanges, fetch, db };
  const served: ServedMock[] = [];
  const close = async () => {
    await Promise.all(served.map((server) => server.close()));
    await db.close();
  };
  const name = 'Example Provider';
  try {
    const provider = await serveMock({ random }, (baseUrl) =>
      createMockProvider({ ...shared, name, baseUrl }),
    );
    served.push(provider);
    let controls: ServiceControls | undefined;
    const service = await serveMock({ random }, async (baseUrl) => {
      const trust = [{ issuer: provider.target, name }];
      const mock = await createMockService({ ...shared, baseUrl, trust });
      controls = mock.controls;
      return mock;
    });
    served.push(service);
    const harness = new DemoHarness({
      ...{ clock, random, fetch, transcript, exchanges },
      service: service.target,
      provider: provider.target,
      stateOf: async (id) => (await controls?.registration(id))?.state,
    });
    return { harness, close };
  } catch (error) {
    await close();
    throw error;
  }
}
