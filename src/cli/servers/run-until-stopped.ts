import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import { presentReady, type Ready } from '../presenters/mock.ts';
import { RuntimeFiles } from './runtime-files.ts';

export interface Running extends Ready {
  /** Opened in the browser with `--open`. */
  readonly firstPage: string | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Says that the servers are ready, and runs them until Ctrl-C or SIGTERM. That is how a server ends
 * well, so the outcome is `done`.
 */
export async function runUntilStopped(context: Context, running: Running): Promise<Outcome> {
  const { output, world, interrupt } = context;
  const files = new RuntimeFiles(world.environment);
  try {
    const isNoted = noteForOthers(context, files, running);
    output.result(presentReady(context, running, isNoted));
    if (running.firstPage !== undefined) {
      await world.openBrowser(running.firstPage, () =>
        output.warn('No browser could be opened. Open the address yourself.'),
      );
    }
    await stopped(interrupt.signal);
    output.say();
    output.say('Stopping.');
  } finally {
    files.remove(process.pid);
    await running.close();
  }
  return 'done';
}

/** Without the note other commands need --service; the servers run all the same. */
function noteForOthers({ output, world }: Context, files: RuntimeFiles, ready: Ready): boolean {
  try {
    files.write({
      pid: process.pid,
      started: world.clock.now(),
      service: ready.service ?? null,
      provider: ready.provider ?? null,
    });
    return true;
  } catch {
    output.warn(`${files.folder} cannot be used, so other commands need --service.`);
    return false;
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
