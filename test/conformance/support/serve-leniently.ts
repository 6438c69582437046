import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { serve } from '../../../src/mock-service/index.ts';

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
  await new Promise<void>((listening) => server.listen({ host, port }, listening));
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  const origin = `http://${host}:${bound}`;
  handle = await build(origin);
  return {
    origin,
    host,
    port: bound,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};
