import { WATCHED } from '../../conformance/engine/model.ts';
import type { Progress } from '../../conformance/engine/runner.ts';
import type { Context } from '../shell/context.ts';
import { startSpinner } from '../terminal/spinner.ts';

/** How often a line of progress is printed at most without a terminal. Milliseconds. */
const LINE_EVERY = 10_000;
/** A scenario that takes longer says for how long. Milliseconds. */
const LONG = 3_000;
/** How often that is looked at. Milliseconds. */
const BEAT = 1_000;

interface ShownProgress {
  readonly onProgress: (progress: Progress) => void;
  /** Prints something above the line of progress. */
  readonly show: (print: () => void) => void;
  readonly stop: () => void;
}

/**
 * Shows on stderr how far a run is, and what takes long: a spinner, or without a terminal a line now and then.
 * Agents are judged by several scenarios at once: the one that began last is shown.
 */
export async function showProgress(context: Context, target: string): Promise<ShownProgress> {
  const { output, world } = context;
  const { stderr } = world.streams;
  const first = target === WATCHED ? 'Waiting for an agent' : `Connecting to ${target}`;
  const spinner = await startSpinner(stderr, output.interactive, first);
  let said: number | undefined;
  let running: { readonly line: string; readonly since: number } | undefined;
  const show = () => {
    if (running === undefined) return;
    const now = world.clock.now();
    const elapsed = now - running.since;
    const line = elapsed < LONG ? running.line : `${running.line} (for ${inSeconds(elapsed)})`;
    if (output.interactive) spinner.update(cut(line, stderr.columns - 4));
    else if (said !== undefined && now - said >= LINE_EVERY) {
      output.say(line);
      said = now;
    }
  };
  const beat = setInterval(show, BEAT);
  beat.unref();
  return {
    onProgress: ({ done, total, title, waiting }) => {
      running = undefined;
      if (title === undefined) return;
      const more =
        waiting === undefined ? '' : ` (${waiting} more wait${waiting === 1 ? 's' : ''})`;
      running = { line: `[${done + 1}/${total}] ${title}${more}`, since: world.clock.now() };
      if (!output.interactive && said === undefined) {
        output.say(`Judging ${target} against ${count(total)} …`);
        said = running.since;
      }
      show();
    },
    show: (print) => spinner.interrupt(print),
    stop: () => {
      clearInterval(beat);
      spinner.stop();
    },
  };
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

/** The spinner cannot redraw a wrapped line: its end, which says how long, is kept. */
function cut(line: string, length: number): string {
  if (line.length <= length) return line;
  const end = / \(for \d+ s\)$/.exec(line)?.[0] ?? '';
  return `${line.slice(0, Math.max(0, length - 1 - end.length))}…${end}`;
}

function count(scenarios: number): string {
  return `${scenarios} scenario${scenarios === 1 ? '' : 's'}`;
}
