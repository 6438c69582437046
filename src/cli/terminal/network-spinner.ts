import type { Fetch } from '../../runtime/ports.ts';
import { isDrawing, type Spinner, startSpinner } from './spinner.ts';
import type { Sink } from './streams.ts';

/** A step on the network that is done sooner is not told of. Milliseconds. */
const MOMENT = 300;

/**
 * The fetch port, with a spinner that names the host while its answer is waited for. A screen that
 * draws a line of its own, such as that of a claim, is left alone.
 */
export function spinWhileWaiting(fetch: Fetch, sink: Sink): Fetch {
  return async (url, init) => {
    let spinner: Promise<Spinner> | undefined;
    const timer = setTimeout(() => {
      if (isDrawing(sink)) return;
      spinner = startSpinner(sink, true, `Waiting for ${new URL(url).host}`);
    }, MOMENT);
    try {
      return await fetch(url, init);
    } finally {
      clearTimeout(timer);
      (await spinner)?.stop();
    }
  };
}
