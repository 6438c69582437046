import { toNetworkError } from './network-error.ts';
import { type Forward, type ForwardedRequest, NetworkError } from './ports.ts';
import { type ProxyFor, readProxies } from './proxy.ts';
import { DEFAULT_TIME_LIMIT } from './system-limit-fetch.ts';
import { chooseDispatcher, type Dispatcher } from './system-undici.ts';

export interface SystemForwardOptions {
  /** Until an answer begins, and between two parts of its body, in milliseconds. Default 30 s. */
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
  return (request) => {
    // Outside the rest: what it throws is about the settings, not about the network.
    const dispatcher = dispatcherFor(request.url);
    return new Promise<Response>((resolve, reject) => {
      const answer = new Answer(request, resolve, reject);
      const { origin, pathname, search } = new URL(request.url);
      try {
        dispatcher.dispatch(
          {
            origin,
            path: pathname + search,
            method: request.method as Dispatcher.HttpMethod,
            headers: [...request.headers].flat(),
            body: bodyOf(request),
            headersTimeout: timeout,
            bodyTimeout: timeout,
          },
          answer,
        );
      } catch (error) {
        reject(toNetworkError(error, request.signal));
      }
    });
  };
}

/** A stream of the Web is an async iterable, which undici sends as it comes; its types leave that out. */
function bodyOf({ body }: ForwardedRequest): Uint8Array | null {
  return body as Uint8Array | null;
}

/** Statuses without a body, of the Fetch Standard. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Makes a response of what undici reports. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #request: ForwardedRequest;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: NetworkError) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #connection: Dispatcher.DispatchController | undefined;
  readonly #leave = () => this.#connection?.abort(new NetworkError('aborted', 'Nobody waits.'));

  constructor(
    request: ForwardedRequest,
    resolve: (response: Response) => void,
    reject: (error: NetworkError) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#connection = controller;
    const { signal } = this.#request;
    if (signal?.aborted) this.#leave();
    else signal?.addEventListener('abort', this.#leave, { once: true });
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    statusText = '',
  ): void {
    // One that comes before the answer itself (RFC 9110 §15.2).
    if (status < 200) return;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (stream) => {
          this.#body = stream;
        },
        pull: () => controller.resume(),
        cancel: () => {
          this.#body = undefined;
          this.#leave();
        },
      },
      { highWaterMark: 0 },
    );
    try {
      this.#resolve(
        new Response(BODILESS.has(status) ? null : body, {
          status,
          statusText: /^[\t -~]*$/.test(statusText) ? statusText : '',
          headers: headersOf(headers),
        }),
      );
    } catch (error) {
      // A status above 599, or a value that no header has.
      const text = 'The answer has a status or a header that HTTP does not allow.';
      const unusable = new NetworkError('unknown', text, { cause: error });
      this.#reject(unusable);
      controller.abort(unusable);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // What undici's parser reports where it goes on: for a reader it would be no end of parts.
    if (chunk.byteLength === 0) return;
    this.#body?.enqueue(chunk);
    if ((this.#body?.desiredSize ?? 1) <= 0) controller.pause();
  }

  onResponseEnd(): void {
    this.#end();
    try {
      this.#body?.close();
    } catch {
      // Whoever read it has left.
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    const known = toNetworkError(error, this.#request.signal);
    this.#reject(known);
    this.#body?.error(known);
  }

  #end(): void {
    this.#request.signal?.removeEventListener('abort', this.#leave);
  }
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
