import type { Chunk, ChunkReader } from './chunk-reader.ts';
import type { Dispatch, Dispatcher, DispatchHandler } from './dispatcher.ts';
import { ExchangedResponse } from './exchanged-response.ts';
import { toNetworkError } from './network-error.ts';
import { NetworkError } from './ports.ts';
import { LONGEST_TIMER } from './system-deadline.ts';
import { type DecodedReader, decodedReader } from './system-decode.ts';

/** What is kept of a body that nobody reads, in bytes; then the sender waits. */
const HIGH_WATER = 64 * 1024;

/** Answers without a body, whatever they carry (Fetch §2.2.3). */
const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

export interface ExchangeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * From the request's start to the end of the body, in milliseconds. With it whatever goes wrong is a NetworkError;
   * without it what `fetch` would reject with.
   */
  readonly timeLimit?: number | undefined;
}

/** Sends one request as `fetch` does, without following a redirect, and without its streams. */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatch,
  url: string,
  options: ExchangeOptions,
): Promise<Response> {
  const send = (given: ExchangeOptions) =>
    new Promise<Response>((resolve, reject) => {
      new Exchange(request.method, url, given, { resolve, reject }).start(dispatcher, request);
    });
  const { timeLimit } = options;
  const startedAt = performance.now();
  const response = await send(options);
  // As `fetch` does: another connection may lead to the right server (RFC 9110 §15.5.20).
  if (response.status !== 421) return response;
  response.body?.cancel().catch(() => {});
  if (timeLimit === undefined) return send(options);
  const left = Math.max(0, timeLimit - (performance.now() - startedAt));
  return send({ ...options, timeLimit: left });
}

interface Settle {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
}

/** Hears of an answer, and hands its body over as it is read. */
class Exchange implements DispatchHandler, ChunkReader {
  readonly #method: string;
  readonly #url: string;
  readonly #options: ExchangeOptions;
  /** Until it is used: what has the answer must not be reached from here, or nobody ever notices that it is lost. */
  #settle: Settle | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #stop: (() => void) | undefined;
  #abort: ((reason?: unknown) => void) | undefined;
  #resume: (() => void) | undefined;
  #hasBegun = false;
  #hasNoBody = false;
  /** No more comes: it came to its end, or {@link #failure} says why it did not. */
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #isPaused = false;
  /** Time and signal hold until it has come to its end; then it cancels what is left here. */
  #decoded: DecodedReader | undefined;
  #waiting: { resolve: (chunk: Chunk) => void; reject: (error: unknown) => void } | undefined;

  constructor(method: string, url: string, options: ExchangeOptions, settle: Settle) {
    this.#method = method;
    this.#url = url;
    this.#options = options;
    this.#settle = settle;
    const { timeLimit } = options;
    if (timeLimit === undefined) return;
    const end = () =>
      this.#end(new NetworkError('timeout', 'No answer within the time limit.'), true);
    this.#timer = setTimeout(end, Math.min(timeLimit, LONGEST_TIMER));
    // What is waited for keeps the process alive, not its limit.
    this.#timer.unref();
  }

  start(dispatcher: Dispatcher, request: Dispatch): void {
    const { signal } = this.#options;
    if (signal !== undefined) {
      const stop = () => this.#end(signal.reason, true);
      if (signal.aborted) {
        stop();
        return;
      }
      signal.addEventListener('abort', stop, { once: true });
      this.#stop = () => signal.removeEventListener('abort', stop);
    }
    try {
      dispatcher.dispatch(request, this);
    } catch (error) {
      this.onError(error);
    }
  }

  onConnect(abort: (reason?: unknown) => void): void {
    if (this.#failure !== undefined) abort(this.#failure.error);
    else this.#abort = abort;
  }

  onHeaders(
    status: number,
    rawHeaders: Parameters<DispatchHandler['onHeaders']>[1],
    resume: () => void,
    statusText: string,
  ): boolean {
    if (status < 200 || this.#isOver) return true;
    // As `fetch` does: nobody is there whom it could ask.
    if (status === 407) {
      this.#refuse(new Error('The server asks for the credentials of a proxy.'));
      return true;
    }
    this.#hasBegun = true;
    this.#resume = resume;
    this.#hasNoBody = this.#method === 'HEAD' || NULL_BODY.has(status);
    const headers = toHeaders(rawHeaders);
    const reader = this.#hasNoBody ? null : this.#reader(headers.get('content-encoding'));
    if (reader === undefined) return true;
    this.#settle?.resolve(
      new ExchangedResponse({ status, statusText, headers, url: this.#url }, reader),
    );
    this.#settle = undefined;
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    if (this.#isOver || this.#hasNoBody) return true;
    if (this.#waiting !== undefined) {
      const { resolve } = this.#waiting;
      this.#waiting = undefined;
      resolve({ done: false, value: chunk });
      return true;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    this.#isPaused = this.#size >= HIGH_WATER;
    return !this.#isPaused;
  }

  onComplete(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#decoded === undefined) this.#release();
    this.#waiting?.resolve({ done: true });
    this.#waiting = undefined;
  }

  onError(error: unknown): void {
    this.#end(new TypeError(this.#hasBegun ? 'terminated' : 'fetch failed', { cause: error }));
  }

  onUpgrade(): void {
    this.#refuse(new Error('The server changes to another protocol.'));
  }

  /** What came is handed over before what went wrong. */
  async read(): Promise<Chunk> {
    const value = this.#chunks.shift();
    if (value !== undefined) {
      this.#size -= value.byteLength;
      if (this.#isPaused && this.#size < HIGH_WATER) {
        this.#isPaused = false;
        this.#resume?.();
      }
      return { done: false, value };
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#isOver) return { done: true };
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Nobody wants the rest. */
  async cancel(): Promise<void> {
    this.#chunks.length = 0;
    this.#release();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting?.resolve({ done: true });
    this.#abort?.(new DOMException('The body was cancelled.', 'AbortError'));
  }

  /** @param isOurs it ends by our will, and what is left of the exchange with it. */
  #end(error: unknown, isOurs = false): void {
    // What has come may still have to be decoded.
    if (this.#isOver && !(isOurs && this.#decoded)) return;
    this.#isOver = true;
    const { signal, timeLimit } = this.#options;
    const told = timeLimit === undefined ? error : toNetworkError(error, signal);
    this.#failure = { error: told };
    this.#release();
    if (isOurs) this.#chunks.length = 0;
    this.#settle?.reject(told);
    this.#settle = undefined;
    this.#waiting?.reject(told);
    this.#waiting = undefined;
    if (!isOurs) return;
    this.#decoded?.fail(told);
    this.#abort?.(error);
  }

  #refuse(cause: unknown): void {
    this.#end(new TypeError('fetch failed', { cause }), true);
  }

  /** `undefined`: it cannot be read, and the exchange has ended. */
  #reader(contentEncoding: string | null): ChunkReader | undefined {
    if (contentEncoding === null) return this;
    const { signal, timeLimit } = this.#options;
    try {
      this.#decoded = decodedReader(this, contentEncoding, (cause) => {
        const error = new TypeError('terminated', { cause });
        return timeLimit === undefined ? error : toNetworkError(error, signal);
      });
      return this.#decoded ?? this;
    } catch (error) {
      this.#refuse(error);
      return undefined;
    }
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#stop?.();
  }
}

/** As `fetch` reads them: each byte is a character. */
function toHeaders(raw: Parameters<DispatchHandler['onHeaders']>[1]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) {
    const name = latin1(raw[at]);
    const value = raw[at + 1];
    if (Array.isArray(value)) for (const one of value) headers.append(name, latin1(one));
    else headers.append(name, latin1(value));
  }
  return headers;
}

function latin1(bytes: Parameters<DispatchHandler['onHeaders']>[1][number] | undefined): string {
  return bytes instanceof Uint8Array
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    : '';
}
