import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { serve } from '../../../src/mock-service/index.ts';
import { listening } from './listening.ts';

/** A server that is gone for good with the first request whose body it is told to die of. */
export function serveDying(deadly: (body: string) => boolean): typeof serve {
  return async ({ host, port, build }) => {
    let handle: (request: Request) => Promise<Response> | Response;
    const listener = getRequestListener(
      async (request) => {
        if (deadly(await request.clone().text())) {
          server.close();
          server.closeAllConnections();
        }
        return handle(request);
      },
      { overrideGlobalObjects: false },
    );
    const server = createServer(listener);
    const served = await listening(server, { host, port });
    handle = await build(served.origin);
    return served;
  };
}
