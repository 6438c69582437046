import type { Fetch } from '../../runtime/ports.ts';
import { isDrawing, type Spinner, startSpinner } from './spinner.ts';
import type { Sink } from './streams.ts';

/** A step on the network that is done sooner is not told of. Milliseconds. */
const MOMENT = 300;

/**
 * The fetch port, with a spinner that names the host while its answer is waited for: its head, then its
 * body as soon as somebody reads it, to its end. A screen that draws a line of its own, such as that of a
 * claim, is left alone.
 */
export function spinWhileWaiting(fetch: Fetch, sink: Sink): Fetch {
  return async (url, init) => {
    const text = `Waiting for ${new URL(url).host}`;
    const end = tellLater(sink, text);
    try {
      return withBodyTold(await fetch(url, init), () => tellLater(sink, text));
    } finally {
      await end();
    }
  };
}

type End = () => Promise<void>;

/** Shows the text after a moment, unless another line moves by then. */
function tellLater(sink: Sink, text: string): End {
  let spinner: Promise<Spinner> | undefined;
  const timer = setTimeout(() => {
    if (!isDrawing(sink)) spinner = startSpinner(sink, true, text);
  }, MOMENT);
  return async () => {
    clearTimeout(timer);
    (await spinner)?.stop();
  };
}

/** The same answer, still with its address and type; only its `body` is another stream. */
function withBodyTold(response: Response, begin: () => End): Response {
  if (response.body === null) return response;
  const prototype: object = Object.getPrototypeOf(response);
  // Asked for when it is read: a clone gives an answer another stream.
  const own = (): ReadableStream<Uint8Array> | null => Reflect.get(prototype, 'body', response);
  return Object.defineProperty(response, 'body', { value: told(own, begin), configurable: true });
}

/** Nothing is read, and nothing told, before the first read. */
function told(
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
