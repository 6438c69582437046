import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import { actAnonymous } from './act-anonymous.ts';
import { actExistingAccount, actIdentityAssertion } from './act-identity-assertion.ts';
import { actServiceAuth } from './act-service-auth.ts';
import { demoAudience } from './present-demo.ts';
import { presentDemoSummary } from './present-summary.ts';
import { startDemoMocks } from './start-mocks.ts';

/** A line that nobody's terminal wraps. */
const PIPED_WIDTH = 140;

/** All flows between a real agent and real servers, on a clock that jumps instead of waiting. */
export async function demo(context: Context): Promise<Outcome> {
  const { options, output, world } = context;
  if (options.service !== undefined) {
    throw usageError('The demo runs servers of its own, and no other service.', {
      code: 'demo_with_service',
      hint: 'The same at a service of yours is connect.',
      next: nextLine(context, 'connect', options.service),
    });
  }
  const { stdout } = world.streams;
  const started = world.clock.now();
  const width = stdout.isTTY ? stdout.columns : PIPED_WIDTH;
  const theatre = await startDemoMocks(context, demoAudience(output, width));
  try {
    const { stage } = theatre;
    for (const act of [actAnonymous, actServiceAuth, actIdentityAssertion, actExistingAccount]) {
      context.interrupt.signal.throwIfAborted();
      await act(stage);
    }
    output.result(
      presentDemoSummary(context, {
        endings: stage.endings,
        exchanges: stage.exchanges,
        told: stage.clock.now() - started,
        took: world.clock.now() - started,
      }),
    );
    return 'done';
  } finally {
    await theatre.close();
  }
}
