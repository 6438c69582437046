import type { Fetch } from '../../runtime/ports.ts';
import { isDrawing, type Spinner, startSpinner } from './spinner.ts';
import type { Sink } from './streams.ts';

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
