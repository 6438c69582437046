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
