import { describeDuration } from '../../protocol/durations.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { runAnonymous } from './flows/anonymous.ts';
import { runExistingAccount, runIdentityAssertion } from './flows/identity-assertion.ts';
import { runServiceAuth } from './flows/service-auth.ts';
import type { Ending } from './harness.ts';
import { startDemoMocks } from './start-mocks.ts';
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
    output.result(
      presentDemoSummary(context, {
        endings: harness.endings,
        exchanges: harness.exchanges,
        simulated: harness.clock.now() - started,
        took: world.clock.now() - started,
      }),
    );
    return 'done';
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
