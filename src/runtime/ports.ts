/** Milliseconds since the Unix epoch. The one source of time; nothing else asks the machine. */
export interface Clock {
  /** Now, in milliseconds since the Unix epoch. */
  now(): number;
}

/** Cryptographically strong bytes in production, a seeded stream in tests. */
export interface Random {
  /** Random bytes, `length` of them. */
  bytes(length: number): Uint8Array;
}

/**
 * What the fetch port is given: no `Request` objects, because `undici.fetch` refuses the global one, and
 * nothing that any `RequestInit` would not take, so that `fetch` itself is a port.
 */
export interface FetchInit {
  /** Default: `GET`. */
  readonly method?: string;
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Aborting ends the request and the reading of its answer. */
  readonly signal?: AbortSignal;
  /** A redirect is never followed: required where secrets are sent or the answer decides. */
  readonly redirect?: 'manual';
}

/**
 * Makes one HTTP exchange. Redirects are never followed: the caller sees the 3xx. Rejects with a {@link NetworkError}
 * when no answer arrives.
 */
export type Fetch = (url: string, init?: FetchInit) => Promise<Response>;

/** A request that somebody else made, as it is passed on. */
export interface ForwardedRequest {
  /** Where it is passed on to. */
  readonly url: string;
  /** The method of HTTP, as it was sent. */
  readonly method: string;
  /** The fields with `Host`, without those of the connection (RFC 9110 §7.6.1). Nothing is added. */
  readonly headers: Headers;
  /** The body, as it comes. */
  readonly body: ReadableStream<Uint8Array> | Uint8Array | null;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Passes a request on: its answer is neither followed nor decoded, and its bodies flow in both directions
 * as fast as they are read. Rejects with a {@link NetworkError} when no answer arrives; its body breaks off
 * with one.
 */
export type Forward = (request: ForwardedRequest) => Promise<Response>;

/** Waits on this machine for the answer that a browser brings (RFC 8252 §7.3). */
export interface RedirectListener {
  /** Where the browser has to be sent. */
  readonly redirectUri: string;
  /** The answer's query, once it has come. Rejects with the signal's reason. */
  answer(signal?: AbortSignal): Promise<URLSearchParams>;
  /** Tells the user in the browser how it ended, and listens no more. */
  close(ended?: 'signed_in' | 'failed'): void;
}

/**
 * Listens on a loopback address. @param redirectUri the one of before, to go on with; rejects where its port is taken.
 */
export type ListenForRedirect = (redirectUri?: string) => Promise<RedirectListener>;

/** Called before a connection is made to an IP address: throws to refuse it. */
export type ConnectGuard = (ip: string) => void;

/** Resolves after `ms` milliseconds, rejects with the signal's reason when it is aborted first. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** What is told beside the name of an event. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Structured log; fields are printed after redaction, never a secret. */
export interface Log {
  /** `false`: nobody reads what is logged with {@link debug}, so that nobody needs to put it together. */
  readonly debugs?: boolean;
  /** What somebody needs who looks for a mistake. */
  debug(event: string, fields?: LogFields): void;
  /** What an operator wants to see once. */
  info(event: string, fields?: LogFields): void;
  /** What an operator should look at. */
  warn(event: string, fields?: LogFields): void;
}

/**
 * Why no HTTP answer arrived. `code` is closed, so callers never look at message text. With `proxy` the
 * message says which proxy failed and how, without its credentials.
 */
export type NetworkErrorCode =
  | 'refused'
  | 'not_found'
  | 'timeout'
  | 'tls'
  | 'not_tls'
  | 'proxy'
  /** Nothing was sent: `fetch` connects to no such port (WHATWG fetch, "bad port"). */
  | 'bad_port'
  | 'reset'
  /** An answer came whose headers exceed what Node reads. */
  | 'large_head'
  /** An answer came, but by a redirect: from elsewhere, or hidden by the port. */
  | 'redirected'
  | 'aborted'
  | 'unknown';

const LASTING: ReadonlySet<NetworkErrorCode> = new Set([
  'tls',
  'not_tls',
  'bad_port',
  'redirected',
]);

/** Whether the same request fails in the same way until somebody changes something. */
export function isLastingFailure(code: NetworkErrorCode): boolean {
  return LASTING.has(code);
}

/** No HTTP answer arrived; `code` says why. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** Why, for programs. */
  readonly code: NetworkErrorCode;

  constructor(code: NetworkErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
