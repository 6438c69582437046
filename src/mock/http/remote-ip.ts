import type { Context } from './context.ts';

const REMOTE_IP = Symbol('remote IP');

interface Noted {
  [REMOTE_IP]?: string;
}

/** Notes where a request came from; the Node server does it, before any handler runs. */
export function recordRemoteIp(request: Request & Noted, ip: string): void {
  request[REMOTE_IP] = ip;
}

/** The one that stands for a request came from where that came from. */
export function copyRemoteIp(request: Request & Noted, copy: Request & Noted): void {
  const ip = request[REMOTE_IP];
  if (ip !== undefined) copy[REMOTE_IP] = ip;
}

/** The peer's IP address; `undefined` without a connection. Never from a header. */
export function remoteIp(c: Context): string | undefined {
  const request: Request & Noted = c.req.raw;
  return request[REMOTE_IP];
}
