/** Where a connection was accepted. */
export interface BoundPlace {
  /** As it was told to listen: a name, an IP address, a wildcard. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** To whom a request was sent, and where it arrived. */
export interface ReachedAt {
  readonly bound: BoundPlace;
  /** The value of `Host`. */
  readonly host: string;
  /** The request target, where it is a URL: a client of a proxy sends it (RFC 9112 §3.2.2). */
  readonly target: string | undefined;
}

/** Nobody else's member: cheaper than a `WeakMap`, for each request. */
const REACHED_AT = Symbol('reached at');

interface Noted {
  [REACHED_AT]?: ReachedAt;
}

/** Notes to whom a request was sent; the Node server does it, before any handler runs. */
export function recordReachedAt(request: Request & Noted, at: ReachedAt): void {
  request[REACHED_AT] = at;
}

/** The one that stands for a request was sent to whom that was sent to. */
export function copyReachedAt(request: Request & Noted, copy: Request & Noted): void {
  const at = request[REACHED_AT];
  if (at !== undefined) copy[REACHED_AT] = at;
}

/** `undefined` without a connection. */
export function reachedAt(request: Request & Noted): ReachedAt | undefined {
  return request[REACHED_AT];
}
