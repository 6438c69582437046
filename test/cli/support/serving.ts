import { until } from '../../support/until.ts';
import { type Live, type Machine, type Run, type RunOptions, runCli } from './run-cli.ts';

/**
 * Runs a server command, `during` with its first line once there is one, then stops it as Ctrl-C does. A
 * command that ends by itself, because it is refused, was never ready.
 */
export async function serving(
  machine: Machine,
  line: readonly string[],
  env: RunOptions['env'],
  during: (ready: string, live: Live) => Promise<void>,
): Promise<Run> {
  let live: Live | undefined;
  let isOver = false;
  const running = runCli(machine, line, {
    ...(env && { env }),
    meanwhile: (started) => {
      live = started;
    },
  });
  const ended = running.then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  try {
    const lines = () => live?.stdout.text.split('\n') ?? [];
    await until(() => isOver || lines().length > 1);
    if (!isOver && live !== undefined) await during(lines()[0] ?? '', live);
  } finally {
    live?.stop();
    await ended;
  }
  return running;
}
