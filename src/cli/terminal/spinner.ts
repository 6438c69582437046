import type { Ora } from 'ora';
import type { Fetch } from '../../runtime/ports.ts';
import type { Sink } from './streams.ts';

/** A line that moves while something is awaited. */
export interface Spinner {
  update(text: string): void;
  /** Takes the line away, runs `print`, and draws the line again. */
  interrupt(print: () => void): void;
  /** Takes the line away for good. */
  stop(): void;
}

/** The least time between two drawings. Milliseconds. */
const GAP = 100;
const FRAME = 120;
/** Who reads a terminal without a width is a program: nothing turns, and the time left moves slowly. */
const CALM = { frames: ['-'], interval: 2000 };

const NO_SPINNER: Spinner = { update: () => {}, interrupt: (print) => print(), stop: () => {} };

/** Two lines that move would draw over each other. */
const drawing = new WeakSet<Sink>();

/** Whether a line moves there now. */
function isDrawing(sink: Sink): boolean {
  return drawing.has(sink);
}

/** Keeps everything still there until the end, for another text is written line by line. @returns the end. */
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

/** A shorter wait shows no spinner. Milliseconds. */
const DELAY = 300;

/**
 * The fetch port, with a spinner that names the host while its answer is waited for: its head, then its
 * body as soon as somebody reads it, to its end. A screen that draws a line of its own, such as that of a
 * claim, is left alone.
 */
export function spinWhileWaiting(fetch: Fetch, sink: Sink): Fetch {
  return async (url, init) => {
    const text = `Waiting for ${new URL(url).host}`;
    const end = spinLater(sink, text);
    try {
      return withBodySpinner(await fetch(url, init), () => spinLater(sink, text));
    } finally {
      await end();
    }
  };
}

type End = () => Promise<void>;

/** Starts the spinner after the delay, unless another one runs by then. */
function spinLater(sink: Sink, text: string): End {
  let spinner: Promise<Spinner> | undefined;
  const timer = setTimeout(() => {
    if (!isDrawing(sink)) spinner = startSpinner(sink, true, text);
  }, DELAY);
  return async () => {
    clearTimeout(timer);
    (await spinner)?.stop();
  };
}

/** The same response, with its URL and type; only its `body` is another stream. */
function withBodySpinner(response: Response, begin: () => End): Response {
  if (response.body === null) return response;
  const prototype: object = Object.getPrototypeOf(response);
  // Asked for when it is read: a clone gives an answer another stream.
  const own = (): ReadableStream<Uint8Array> | null => Reflect.get(prototype, 'body', response);
  return Object.defineProperty(response, 'body', {
    value: spinOnRead(own, begin),
    configurable: true,
  });
}

/** Reads nothing, and starts no spinner, before the first read. */
function spinOnRead(
  open: () => ReadableStream<Uint8Array> | null,
  begin: () => End,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let end: End | undefined;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        reader ??= open()?.getReader();
        end ??= begin();
        try {
          const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
          if (!done) return controller.enqueue(value);
        } catch (error) {
          await end();
          throw error;
        }
        await end();
        controller.close();
      },
      cancel: async (reason) => {
        await end?.();
        await (reader ?? open())?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
