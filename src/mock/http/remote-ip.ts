import type { Context } from './context.ts';

const remoteIps = new WeakMap<Request, string>();

/** Notes where a request came from; the Node server does it, before any handler runs. */
export function recordRemoteIp(request: Request, ip: string): void {
  remoteIps.set(request, ip);
}

/** The one that stands for a request came from where that came from. */
export function copyRemoteIp(request: Request, copy: Request): void {
  const ip = remoteIps.get(request);
  if (ip !== undefined) remoteIps.set(copy, ip);
}

/** The peer's IP address; `undefined` without a connection. Never from a header. */
export function remoteIp(c: Context): string | undefined {
  return remoteIps.get(c.req.raw);
}
