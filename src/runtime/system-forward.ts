import { toNetworkError } from './network-error.ts';
import { type Forward, NetworkError } from './ports.ts';
import { type ProxyFor, readProxies } from './proxy.ts';
import { DEFAULT_TIME_LIMIT } from './system-limit-fetch.ts';
import { chooseDispatcher, type Dispatcher } from './system-undici.ts';

export interface SystemForwardOptions {
  /** How long to wait until an answer begins, and between two parts of its body, in milliseconds. Default 30 s. */
  readonly timeout?: number;
  /** Default: by HTTPS_PROXY, HTTP_PROXY and NO_PROXY of this process. */
  readonly proxyFor?: ProxyFor;
  /** Authorities to trust beside those that Node trusts, as PEM. */
  readonly ca?: readonly string[];
}

/** The forward port over undici. */
export function createSystemForward(options: SystemForwardOptions = {}): Forward {
  const { timeout = DEFAULT_TIME_LIMIT, proxyFor = readProxies(process.env) } = options;
  const dispatcherFor = chooseDispatcher(proxyFor, options.ca ?? [], undefined);
  return async (request) => {
    // Outside the rest: what it throws is about the settings, not about the network.
    const dispatcher = dispatcherFor(request.url);
    const { origin, pathname, search } = new URL(request.url);
    try {
      const answer = await dispatcher.request({
        origin,
        path: pathname + search,
        method: request.method as Dispatcher.HttpMethod,
        headers: [...request.headers].flat(),
        // A stream of the Web is an async iterable, which undici sends as it comes; its types leave that out.
        body: request.body as Uint8Array | null,
        headersTimeout: timeout,
        bodyTimeout: timeout,
        ...(request.signal && { signal: request.signal }),
      });
      return toResponse(answer, request.signal);
    } catch (error) {
      throw toNetworkError(error, request.signal);
    }
  };
}

/** Statuses without a body, of the Fetch Standard. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(
  { statusCode: status, statusText, headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal | undefined,
): Response {
  // Whoever reads it is told; nobody may.
  body.on('error', () => {});
  try {
    const response = new Response(BODILESS.has(status) ? null : webStream(body, signal), {
      status,
      statusText: /^[\t -~]*$/.test(statusText) ? statusText : '',
      headers: headersOf(headers),
    });
    if (response.body === null) body.resume();
    return response;
  } catch (error) {
    // A status above 599, or a value that no header has.
    body.destroy();
    const text = 'The answer has a status or a header that HTTP does not allow.';
    throw new NetworkError('unknown', text, { cause: error });
  }
}

/** A body that is read as fast as whoever asked for it reads, and breaks off with a NetworkError. */
function webStream(
  body: Dispatcher.ResponseData['body'],
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const parts = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (stream) => {
        try {
          const { done, value } = await parts.next();
          if (done) stream.close();
          else stream.enqueue(value);
        } catch (error) {
          stream.error(toNetworkError(error, signal));
        }
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}

function headersOf(
  given: Readonly<Record<string, string | readonly string[] | undefined>>,
): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(given)) {
    for (const value of [values ?? []].flat()) headers.append(name, value as string);
  }
  return headers;
}
