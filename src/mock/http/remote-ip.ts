import type { Context } from './context.ts';

const remoteIps = new WeakMap<Request, string>();

/** Notes where a request came from; the Node server does it, before any handler runs. */
export function recordRemoteIp(request: Request, ip: string): void {
  remoteIps.set(request, ip);
}

/** The peer's IP address; `undefined` without a connection. Never from a header. */
export function remoteIp(c: Context): string | undefined {
  return remoteIps.get(c.req.raw);
}
