import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { plainText } from '../../conformance/engine/plain-text.ts';
import type { AppToJudge } from './judged-app.ts';

/** An application that is served. */
export interface ServedApp {
  readonly origin: string;
  /** What it threw first, and did not catch: a sentence, with where. */
  readonly thrown: string | undefined;
  /** Ends idle and active connections. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

export const NO_APPLICATION =
  'There is no application to judge: give an Express or Fastify application, the function that `createServer` takes, an object with a fetch from Request to Response, a function that returns one, or a URL.';

/**
 * Serves an application on a free port of 127.0.0.1, which is known before it is built; requests that come in between
 * wait.
 * @throws whatever `build` throws; TypeError for what is no application.
 */
export async function serveApp(build: (origin: string) => unknown): Promise<ServedApp> {
  let built: (listener: RequestListener) => void = () => {};
  const listener = new Promise<RequestListener>((resolve) => {
    built = resolve;
  });
  let thrown: string | undefined;
  const server = createServer(async (request, response) => {
    const handle = await listener;
    try {
      await handle(request, response);
    } catch (error) {
      thrown ??= `The application threw, and did not catch: ${whatAndWhere(error)}`;
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, HOST, resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  try {
    built(await listenerOf(await build(origin)));
    return {
      origin,
      close,
      get thrown() {
        return thrown;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `Error: boom (at handler (/app.js:5:3))`. */
function whatAndWhere(error: unknown): string {
  if (!(error instanceof Error)) return `a value of the type ${typeof error}.`;
  const at = /^\s+(at .+)$/m.exec(error.stack ?? '')?.[1];
  // A token that is said to be wrong stays its own affair.
  const what = plainText(`${error.name}: ${error.message}`).replace(/\S{24,}/g, '…');
  return `${what}${at === undefined ? '' : ` (${at})`}`;
}

async function listenerOf(app: unknown): Promise<RequestListener> {
  if (isApp(app)) {
    if (typeof app === 'function') return app as RequestListener;
    if ('routing' in app) {
      // Fastify: its plugins have to be there.
      await app.ready();
      return app.routing as RequestListener;
    }
    const { fetch } = app;
    return getRequestListener((request) => fetch.call(app, request), {
      overrideGlobalObjects: false,
    });
  }
  // No `instanceof`: the application's server may have replaced the global one.
  if (typeof app === 'object' && app !== null && 'status' in app && 'headers' in app) {
    throw new TypeError(
      'The function answered a Response, and builds no application. To judge a function from Request to Response, give it as { fetch: handler }.',
    );
  }
  throw new TypeError(NO_APPLICATION);
}

function isApp(app: unknown): app is AppToJudge {
  if (typeof app === 'function') return true;
  if (typeof app !== 'object' || app === null) return false;
  return 'fetch' in app
    ? typeof app.fetch === 'function'
    : 'routing' in app && typeof app.routing === 'function' && 'ready' in app;
}
