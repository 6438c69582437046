import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { actAnonymous } from '../demo/act-anonymous.ts';
import { actExistingAccount, actIdentityAssertion } from '../demo/act-identity-assertion.ts';
import { actServiceAuth } from '../demo/act-service-auth.ts';
import { openTheatre } from '../demo/theatre.ts';
import type { Outcome } from '../exit-codes.ts';
import { nextLine } from '../next-line.ts';
import { demoAudience } from '../presenters/demo.ts';
import { presentDemoSummary } from '../presenters/demo-summary.ts';

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
  const theatre = await openTheatre(context, demoAudience(output, width));
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
