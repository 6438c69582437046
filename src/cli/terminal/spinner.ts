import type { Ora } from 'ora';
import type { Sink } from './streams.ts';

/** One line that moves while something is awaited. */
export interface Spinner {
  update(text: string): void;
  /** Takes the line away, runs `print`, and draws the line again. */
  interrupt(print: () => void): void;
  /** Takes the line away for good. */
  stop(): void;
}

/** Nothing is drawn more often than ten times a second. Milliseconds. */
const GAP = 100;
const FRAME = 120;
/** Who reads a terminal without a width is a program: nothing turns, and the time left moves slowly. */
const CALM = { frames: ['-'], interval: 2000 };

const NO_SPINNER: Spinner = { update: () => {}, interrupt: (print) => print(), stop: () => {} };

/** Two lines that move would draw over each other. */
const drawing = new WeakSet<Sink>();

/** Whether a line moves there now. */
export function isDrawing(sink: Sink): boolean {
  return drawing.has(sink);
}

/** Nothing may move there until the end, for another text is written line by line. @returns the end. */
export function keepStill(sink: Sink): () => void {
  drawing.add(sink);
  return () => void drawing.delete(sink);
}

/**
 * A spinner on a terminal, nothing anywhere else: ora would print its text as plain lines there.
 * It leaves stdin alone, because the screen reads keys meanwhile.
 */
export async function startSpinner(sink: Sink, enabled: boolean, text: string): Promise<Spinner> {
  if (!enabled) return NO_SPINNER;
  drawing.add(sink);
  const { default: ora } = await import('ora');
  const spinner = ora({
    text,
    stream: sink.node,
    isEnabled: true,
    discardStdin: false,
    ...(sink.sized ? { interval: FRAME } : { spinner: CALM, interval: CALM.interval }),
    color: sink.style.bold('x') === 'x' ? false : 'cyan',
  });
  spinner.render = throttled(spinner, sink.sized ? GAP : CALM.interval / 2);
  spinner.start();
  return {
    update: (next) => {
      spinner.text = next;
    },
    interrupt: (print) => {
      spinner.clear();
      print();
      spinner.render();
    },
    stop: () => {
      spinner.stop();
      drawing.delete(sink);
    },
  };
}

/** ora draws once more after each write of others. What is left out here, its next frame draws. */
function throttled(spinner: Ora, gap: number): () => Ora {
  const draw = spinner.render.bind(spinner);
  let drawnAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - drawnAt < gap) return spinner;
    drawnAt = now;
    return draw();
  };
}
