import { toNetworkError } from './network-error.ts';
import type { Fetch } from './ports.ts';
import { type Deadline, startDeadline, untilAborted } from './system-deadline.ts';

/** The time from a request's start to the end of its answer's body, in milliseconds, unless another limit is given. */
export const DEFAULT_TIME_LIMIT = 30_000;

/**
 * Puts a time limit of `ms` milliseconds over each exchange, headers and body, whatever fetch does it.
 * Rejects, and ends the body, with a NetworkError that says why no answer, or no whole one, came.
 */
export function limitFetch(fetch: Fetch, ms = DEFAULT_TIME_LIMIT): Fetch {
  return async (url, init = {}) => {
    const deadline = startDeadline(ms, init.signal);
    try {
      // Not every fetch heeds a signal.
      const { signal } = deadline;
      const response = await untilAborted(fetch(url, { ...init, signal }), signal);
      return withBodyWatched(response, deadline, init.signal);
    } catch (error) {
      deadline.end();
      throw toNetworkError(error, init.signal);
    }
  };
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** The same answer; its body ends with the time limit, and the time limit with it. */
function withBodyWatched(response: Response, deadline: Deadline, caller?: AbortSignal): Response {
  const { body, headers, ok, redirected, status, statusText, type, url } = response;
  // What hides itself (an opaque answer has the status 0) cannot be made again, nor has it a body.
  if (body === null || status < 200) {
    deadline.end();
    return response;
  }
  const watched = new Response(watch(response, body, deadline, caller), { headers });
  // What a fetch alone can say of an answer: a status above 599, for one, or a reason in Japanese.
  return Object.defineProperties(watched, {
    ok: { value: ok },
    redirected: { value: redirected },
    status: { value: status },
    statusText: { value: statusText },
    type: { value: type },
    url: { value: url },
  });
}

/**
 * @param response whose body it is. The stream holds on to it: Node lets go of the connection of an answer that is
 *   lost, so that one which nobody reads ends with it, and one whose stream alone is kept goes on.
 */
function watch(
  response: Response,
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  caller: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let reading: { readonly response: Response; readonly reader: BodyReader } | undefined;
  // Not sooner: a body with a reader is kept.
  const readerOf = () => {
    reading ??= { response, reader: body.getReader() };
    return reading.reader;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await untilAborted(readerOf().read(), deadline.signal);
          if (!done) return controller.enqueue(value);
          deadline.end();
          controller.close();
        } catch (error) {
          deadline.end();
          // Not awaited: a stream that does not end need not end its cancelling either.
          readerOf()
            .cancel(error)
            .catch(() => {});
          controller.error(toNetworkError(error, caller));
        }
      },
      cancel(reason) {
        deadline.end();
        return readerOf().cancel(reason);
      },
    },
    // Nothing is read before somebody asks.
    { highWaterMark: 0 },
  );
}
