import type { serve } from '../../../src/mock-service/index.ts';
import { serveLeniently } from './serve-leniently.ts';

const sessionOf = (cookie: string | null) => /agent-auth-service=([^;]+)/.exec(cookie ?? '')?.[1];

/** An account has one session at a time: whoever signs in ends the one before. */
export const serveOneSession: typeof serve = (options) => {
  const ended = new Set<string>();
  const latest = new Map<string, string>();
  return serveLeniently({
    ...options,
    build: async (origin) => {
      const handle = await options.build(origin);
      return async (request: Request) => {
        const email = await emailIn(request);
        const response = await handle(isEnded(request) ? withoutCookie(request) : request);
        const started = sessionOf(response.headers.get('set-cookie'));
        if (email !== undefined && started !== undefined) {
          const before = latest.get(email);
          if (before !== undefined) ended.add(before);
          latest.set(email, started);
        }
        return response;
      };
    },
  });

  function isEnded(request: Request): boolean {
    const session = sessionOf(request.headers.get('cookie'));
    return session !== undefined && ended.has(session);
  }
};

function withoutCookie(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete('cookie');
  const { body, method, url } = request;
  // The server's own kind of request is none to copy.
  const init: RequestInit =
    body === null ? { method, headers } : { method, headers, body, duplex: 'half' };
  return new Request(url, init);
}

async function emailIn(request: Request): Promise<string | undefined> {
  if (request.method !== 'POST' || !new URL(request.url).pathname.endsWith('/login')) return;
  return new URLSearchParams(await request.clone().text()).get('email') ?? undefined;
}
