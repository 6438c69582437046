/** One request, as a {@link Dispatcher} takes it. */
export interface Dispatch {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** None is followed, whatever is set for the whole process. */
  readonly maxRedirections: 0;
}

/** A header's value, or those of each time it came. */
type RawHeader = Uint8Array | readonly Uint8Array[];

/** What hears of the answer, in this order. */
export interface DispatchHandler {
  onConnect(abort: (reason?: unknown) => void): void;
  /** @param rawHeaders names and values by turns. @returns `false`: nothing more until `resume` is called. */
  onHeaders(
    status: number,
    rawHeaders: readonly RawHeader[],
    resume: () => void,
    statusText: string,
  ): boolean;
  /** @returns `false`: nothing more until `resume` is called. */
  onData(chunk: Uint8Array): boolean;
  onComplete(): void;
  onError(error: unknown): void;
  onUpgrade(): void;
}

/**
 * What undici sends with, as far as it is used here, in our own words: the global `fetch` of Node and each undici
 * that is installed share one, of this form.
 */
export interface Dispatcher {
  dispatch(request: Dispatch, handler: DispatchHandler): boolean;
}
