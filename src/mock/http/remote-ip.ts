import type { Context } from './context.ts';

const addresses = new WeakMap<Request, string>();

/** Notes where a request came from; the Node server does it, before any handler runs. */
export function recordRemoteIp(request: Request, address: string): void {
  addresses.set(request, address);
}

/** The peer's IP address; `undefined` without a connection. Never from a header. */
export function remoteAddress(c: Context): string | undefined {
  return addresses.get(c.req.raw);
}
