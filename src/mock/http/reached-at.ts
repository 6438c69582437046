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

const places = new WeakMap<Request, ReachedAt>();

/** Notes to whom a request was sent; the Node server does it, before any handler runs. */
export function recordReachedAt(request: Request, at: ReachedAt): void {
  places.set(request, at);
}

/** The one that stands for a request was sent to whom that was sent to. */
export function copyReachedAt(request: Request, copy: Request): void {
  const at = places.get(request);
  if (at !== undefined) places.set(copy, at);
}

/** `undefined` without a connection. */
export function reachedAt(request: Request): ReachedAt | undefined {
  return places.get(request);
}
