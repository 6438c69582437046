/**
 * A portal of a company: its accounts are given (`with-passwords/accounts.yaml`), sign-in takes two steps, and
 * an address that nobody has is treated like any other. Right, on Hono; `bug` switches one mistake on.
 */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { RunningService, ServiceOptions } from './support.ts';
import { Accounts } from './with-passwords/accounts.ts';
import { AgentTokens } from './with-passwords/agent-tokens.ts';
import { bugOf } from './with-passwords/bugs.ts';
import { claimRoutes } from './with-passwords/claim-routes.ts';
import { connectionRoutes } from './with-passwords/connection-routes.ts';
import { eventRoutes } from './with-passwords/event-routes.ts';
import { html, page } from './with-passwords/html.ts';
import { IdJagDesk } from './with-passwords/id-jags.ts';
import { identityRoutes } from './with-passwords/identity-routes.ts';
import { oauthRoutes } from './with-passwords/oauth-routes.ts';
import { openRoutes } from './with-passwords/open-routes.ts';
import { Providers } from './with-passwords/providers.ts';
import { Registrations } from './with-passwords/registrations.ts';
import { Sessions } from './with-passwords/sessions.ts';
import { signInRoutes } from './with-passwords/sign-in-routes.ts';
import { Refusal, type Site } from './with-passwords/site.ts';

export async function startWithPasswords(options: ServiceOptions = {}): Promise<RunningService> {
  const app = new Hono();
  const { base, close } = await listening(app);
  const now = options.now ?? Date.now;
  const registrations = new Registrations(now);
  const site: Site = {
    base,
    now,
    bug: bugOf(options.bug),
    accounts: await Accounts.ofStaff(now),
    sessions: new Sessions(now),
    registrations,
    providers: new Providers(options.trust ?? [], now),
    tokens: await AgentTokens.create(base, now, registrations),
  };
  const desk = new IdJagDesk(site);
  const tooLarge = () => {
    throw new Refusal(413, 'invalid_request', 'The body is too large.');
  };
  app.use(bodyLimit({ maxSize: 64 * 1024, onError: tooLarge }));
  const pages = [signInRoutes(site), claimRoutes(site), connectionRoutes(site)];
  const protocol = [
    openRoutes(site),
    identityRoutes(site, desk),
    oauthRoutes(site),
    eventRoutes(site, desk),
  ];
  for (const routes of [...protocol, ...pages]) app.route('/', routes);
  app.notFound((c) => c.json({ error: 'not_found' }, 404));
  app.onError((error, c) => {
    if (error instanceof Refusal)
      return page(c, error.status, 'That did not work', html`<p role="alert">${error.message}</p>`);
    return c.json({ error: 'server_error' }, 500);
  });
  return { url: base, resource: `${base}/api/resource`, close };
}

function listening(app: Hono): Promise<{ readonly base: string; close(): Promise<void> }> {
  return new Promise((resolve) => {
    const server = serve(
      {
        fetch: app.fetch,
        overrideGlobalObjects: false,
        hostname: '127.0.0.1',
        port: 0,
        serverOptions: { keepAliveTimeout: 60_000 },
      },
      (info: AddressInfo) => {
        const close = () =>
          new Promise<void>((done) => {
            server.close(() => done());
            if ('closeAllConnections' in server) server.closeAllConnections();
          });
        resolve({ base: `http://127.0.0.1:${info.port}`, close });
      },
    );
  });
}
