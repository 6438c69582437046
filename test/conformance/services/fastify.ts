/**
 * A right service on Fastify: plugins over classes, JSON schemas for bodies, `jose` for JWTs, access tokens that are
 * JWTs (RFC 9068). It has all three types of registration and the service directory.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { apiRoutes } from './fastify/api-routes.ts';
import { directoryRoutes } from './fastify/directory.ts';
import { eventRoutes } from './fastify/event-routes.ts';
import { identityRoutes } from './fastify/identity-routes.ts';
import { oauthRoutes } from './fastify/oauth-routes.ts';
import { pageRoutes } from './fastify/page-routes.ts';
import { checkHosts } from './fastify/plumbing.ts';
import { createService } from './fastify/service.ts';
import type { RunningService, ServiceOptions } from './support.ts';

export { FASTIFY_BUGS } from './fastify/bugs.ts';

const ROUTES = [apiRoutes, directoryRoutes, identityRoutes, oauthRoutes, eventRoutes, pageRoutes];

export async function startFastify(options: ServiceOptions = {}): Promise<RunningService> {
  // It listens before it has routes: their URLs hold the port.
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const service = await createService(`http://127.0.0.1:${port}`, options);
  const app = fastify({
    bodyLimit: 64 * 1024,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    serverFactory: (handler) => server.on('request', handler),
  });
  checkHosts(app, service.config);
  for (const routes of ROUTES) await app.register((scope) => routes(scope, service));
  await app.ready();
  return {
    url: service.config.issuer,
    close: async () => {
      await app.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
