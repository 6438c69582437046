import type { Progress } from '../../conformance/engine/runner.ts';
import type { Context } from '../shell/context.ts';
import { startSpinner } from '../terminal/spinner.ts';

/** Without a terminal, a line of progress is printed at most this often. Milliseconds. */
const LINE_EVERY = 10_000;

interface ShownProgress {
  readonly onProgress: (progress: Progress) => void;
  /** Prints something above the line of progress. */
  readonly show: (print: () => void) => void;
  readonly stop: () => void;
}

/** Shows on stderr how far a run is: a spinner, or without a terminal a line now and then. */
export async function showProgress(context: Context, target: string): Promise<ShownProgress> {
  const { output, world } = context;
  const { stderr } = world.streams;
  const spinner = await startSpinner(stderr, output.interactive, `Connecting to ${target}`);
  let said: number | undefined;
  return {
    onProgress: ({ done, total, title }) => {
      if (title === undefined) return;
      const line = `[${done + 1}/${total}] ${title}`;
      if (output.interactive) spinner.update(cut(line, stderr.columns - 4));
      else if (said === undefined) output.say(`Judging ${target} against ${count(total)} …`);
      else if (world.clock.now() - said < LINE_EVERY) return;
      else output.say(line);
      said = world.clock.now();
    },
    show: (print) => spinner.interrupt(print),
    stop: () => spinner.stop(),
  };
}

/** The spinner cannot redraw a wrapped line. */
function cut(line: string, length: number): string {
  return line.length > length ? `${line.slice(0, Math.max(0, length - 1))}…` : line;
}

function count(scenarios: number): string {
  return `${scenarios} scenario${scenarios === 1 ? '' : 's'}`;
}
