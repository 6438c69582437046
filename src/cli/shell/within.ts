import { describeDuration } from '../../protocol/durations.ts';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { nextLine } from './next-line.ts';

/** The option that limits a command's time. */
export interface Timed {
  /** Milliseconds. */
  readonly timeout?: number;
}

/**
 * Carries out a command within a time, after which it is stopped as by Ctrl-C, and says why.
 * @param limit milliseconds; `undefined`: as long as it takes.
 */
export async function within<T>(
  context: Context,
  limit: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (limit === undefined) return work();
  const { interrupt, world } = context;
  const late = new CliError('network', {
    code: 'timeout',
    message: `It was not done within ${describeDuration(limit)}. What was registered until then is kept.`,
    hint: 'Allow more time with --timeout, or see what keeps it.',
    next: nextLine(context, 'doctor'),
  });
  const done = new AbortController();
  const timer = world.sleep(limit, AbortSignal.any([done.signal, interrupt.signal])).then(
    () => interrupt.abort(late),
    () => {},
  );
  try {
    const ending = await work();
    if (interrupt.signal.reason === late) throw late;
    return ending;
  } catch (error) {
    throw interrupt.signal.reason === late ? late : error;
  } finally {
    done.abort();
    await timer;
  }
}
