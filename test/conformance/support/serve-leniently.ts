import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { serve } from '../../../src/mock-service/index.ts';
import { listening } from './listening.ts';

type Handler = (request: Request) => Response | Promise<Response>;

/** A server that reads whatever looks like a request, of any size, for as long as it takes. */
export const serveLeniently: typeof serve = async ({ host, port, build }) => {
  let handle: Handler = () => new Response(null, { status: 503 });
  const server = createServer(
    {
      insecureHTTPParser: true,
      maxHeaderSize: 4 * 1024 * 1024,
      headersTimeout: 0,
      requestTimeout: 0,
    },
    getRequestListener((request) => handle(request), { overrideGlobalObjects: false }),
  );
  server.maxHeadersCount = 0;
  const served = await listening(server, { host, port });
  handle = await build(served.origin);
  return served;
};

const OTHERWISE = 'The member assertion_type is required. The parameter scope may be repeated.';

/** A server whose skill file tells agents what the specification does not ask of them, or allow them. */
export const serveDocumenting: typeof serve = (options) =>
  serveLeniently({
    ...options,
    build: async (origin) => {
      const handle = await options.build(origin);
      return async (request) => {
        const answer = await handle(request);
        if (!/markdown/.test(answer.headers.get('content-type') ?? '')) return answer;
        const headers = new Headers(answer.headers);
        headers.delete('content-length');
        return new Response(`${await answer.text()}\n${OTHERWISE}\n`, { headers });
      };
    },
  });

/** A server that sends every refusal of the endpoints for agents with the status 200, as some frameworks do. */
export const serveErrorsWith200: typeof serve = (options) =>
  serveLeniently({
    ...options,
    build: async (origin) => {
      const handle = await options.build(origin);
      return async (request) => {
        const answer = await handle(request);
        const isRefused = answer.status >= 400 && answer.status < 500;
        const isForAgents = /^\/(?:agent|oauth2)\//.test(new URL(request.url).pathname);
        if (!isRefused || !isForAgents) return answer;
        return new Response(answer.body, { status: 200, headers: answer.headers });
      };
    },
  });
