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
  let tell = () => {};
  const ready = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const running = runCli(machine, line, {
    ...(env && { env }),
    meanwhile: (started) => {
      live = started;
      const { stdout } = started;
      stdout.on('data', () => {
        // The line of an error is the last one: the program is about to end.
        if (stdout.text.includes('\n') && !/"error":\s*\{/.test(stdout.text)) tell();
      });
    },
  });
  const isOver = running.then(
    () => true,
    () => true,
  );
  try {
    const ended = await Promise.race([ready.then(() => false), isOver]);
    if (!ended && live !== undefined) await during(live.stdout.text.split('\n')[0] ?? '', live);
  } finally {
    live?.stop();
    await isOver;
  }
  return running;
}
