import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';

/** A signer that the service believes, and where its keys are. */
export interface TrustedProvider {
  readonly issuer: string;
  readonly jwksUri: string;
}

export interface ServiceOptions {
  readonly trust?: readonly TrustedProvider[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The `id` of one of its `BUGS`, for a service that has them. Default: it is right. */
  readonly bug?: string;
}

export interface RunningService {
  /** What an agent is given to start from. */
  readonly url: string;
  /** A protected resource, where that is not `url`. */
  readonly resource?: string;
  close(): Promise<void>;
}

export type Handler = (request: Request) => Response | Promise<Response>;

/** Path → method → what answers. */
export type Routes = Readonly<Record<string, Readonly<Partial<Record<'GET' | 'POST', Handler>>>>>;

/** Listens on a free loopback port. The routes are made once the origin is known. */
export async function listen(
  routesAt: (origin: string) => Routes | Promise<Routes>,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  let routes: Routes = {};
  const server = createServer(
    getRequestListener((request) => dispatch(routes, request), { overrideGlobalObjects: false }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was bound');
  const origin = `http://127.0.0.1:${address.port}`;
  routes = await routesAt(origin);
  return {
    origin,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

export async function dispatch(routes: Routes, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const methods = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
  if (methods === undefined) return plain(404, 'Not found');
  // RFC 9110 §9.3.2: HEAD is GET without the content, which the server leaves out by itself.
  const name = request.method === 'HEAD' ? 'GET' : request.method;
  const handler = name === 'GET' || name === 'POST' ? methods[name] : undefined;
  if (handler === undefined) {
    return plain(405, 'Method not allowed', { Allow: Object.keys(methods).join(', ') });
  }
  return handler(request);
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  });
}
