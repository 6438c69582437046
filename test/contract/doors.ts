import { setupServer } from 'msw/node';
import { serve } from '../../src/mock/http/serve.ts';
import { silentLog } from '../../src/runtime/index.ts';
import { mswHandlers } from '../../src/testing/msw.ts';
import type { FetchHandler } from '../support/test-user.ts';

export interface App {
  readonly issuer: string;
  readonly fetch: FetchHandler;
}

/** A way into an app. `use` opens it, runs the flow through it, and closes it. */
export interface Door {
  readonly name: string;
  use(app: App, flow: (fetch: FetchHandler) => Promise<void>): Promise<void>;
}

const plainCall: Door = {
  name: 'a plain call',
  use: (app, flow) => flow(app.fetch),
};

/** The app keeps its configured issuer; only the connection goes to loopback. */
const nodeServer: Door = {
  name: 'the Node server',
  use: async (app, flow) => {
    const served = await serve({
      host: '127.0.0.1',
      port: 0,
      build: async () => async (request) => app.fetch(atOrigin(request, app.issuer)),
      log: silentLog,
    });
    try {
      await flow(async (request) => {
        const local = atOrigin(request, served.origin);
        return globalThis.fetch(local, { redirect: 'manual' });
      });
    } finally {
      await served.close();
    }
  },
};

const msw: Door = {
  name: 'MSW',
  use: async (app, flow) => {
    const server = setupServer(...mswHandlers(app));
    server.listen({ onUnhandledRequest: 'error' });
    try {
      await flow((request) => globalThis.fetch(request));
    } finally {
      server.close();
    }
  },
};

export const DOORS: readonly [Door, ...Door[]] = [plainCall, nodeServer, msw];

function atOrigin(request: Request, origin: string): Request {
  const { pathname, search } = new URL(request.url);
  return new Request(new URL(pathname + search, origin), request);
}
