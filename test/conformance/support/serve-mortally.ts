import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { serve } from '../../../src/mock-service/index.ts';

type Handler = (request: Request) => Response | Promise<Response>;

/** How long nothing listens: as long as something takes to start the process again. Milliseconds. */
const AWAY = 250;

/** A server that is gone with each request whose body has a text, and is started again by somebody. */
export function serveMortally(deadly: RegExp): typeof serve {
  return async ({ host, port, build }) => {
    let handle: Handler = () => new Response(null, { status: 503 });
    let server: Server | undefined;
    let isOver = false;
    const leave = () => {
      server?.close();
      server?.closeAllConnections();
    };
    const listener = getRequestListener(
      async (request) => {
        if (!deadly.test(await request.clone().text())) return handle(request);
        leave();
        setTimeout(() => void start(bound), AWAY);
        return new Response(null, { status: 500 });
      },
      { overrideGlobalObjects: false },
    );
    const start = async (at: number) => {
      if (isOver) return;
      const next = createServer(listener);
      server = next;
      await new Promise<void>((listening) => next.listen({ host, port: at }, listening));
    };
    await start(port);
    const address = server?.address();
    const bound = address !== null && typeof address === 'object' ? address.port : port;
    const origin = `http://${host}:${bound}`;
    handle = await build(origin);
    const close = async () => {
      isOver = true;
      leave();
    };
    return { origin, host, port: bound, close };
  };
}
