import type { Sink } from './streams.ts';

/** One line that moves while something is awaited. */
export interface Spinner {
  update(text: string): void;
  /** Takes the line away, runs `print`, and draws the line again. */
  interrupt(print: () => void): void;
  /** Takes the line away for good. */
  stop(): void;
}

/** Ten frames a second at most. Milliseconds. */
const FRAME = 100;

const NO_SPINNER: Spinner = { update: () => {}, interrupt: (print) => print(), stop: () => {} };

/**
 * A spinner on a terminal, nothing anywhere else: ora would print its text as plain lines there.
 * It leaves stdin alone, because the screen reads keys meanwhile.
 */
export async function startSpinner(sink: Sink, enabled: boolean, text: string): Promise<Spinner> {
  if (!enabled) return NO_SPINNER;
  const { default: ora } = await import('ora');
  const spinner = ora({
    text,
    stream: sink.node,
    isEnabled: true,
    discardStdin: false,
    interval: FRAME,
    color: sink.style.bold('x') === 'x' ? false : 'cyan',
  }).start();
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
    },
  };
}
