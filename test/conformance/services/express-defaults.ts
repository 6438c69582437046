/**
 * A right service on Express with its defaults: its error pages, 404 for a method that has no route, 500
 * where a handler throws. Its pages have no control to deny, its resource answers GET alone, and an ID-JAG
 * for an account that exists is linked and answered 200, as the specification's row reads literally.
 */
import type { Server } from 'node:http';
import express, { type Express } from 'express';
import type { Bug } from './bug.ts';
import { Accounts } from './express-defaults/accounts.ts';
import { eventsRouter } from './express-defaults/events.ts';
import { identityRouter } from './express-defaults/identity.ts';
import { metadataRouter } from './express-defaults/metadata.ts';
import { oauthRouter } from './express-defaults/oauth.ts';
import { pagesRouter } from './express-defaults/pages.ts';
import { Tokens } from './express-defaults/tokens.ts';
import { KeySets, type RunningService, type ServiceOptions } from './support.ts';

export const EXPRESS_DEFAULTS_BUGS = [
  {
    id: 'anonymous-alone',
    what: 'It has anonymous registration and the exchange alone, and its metadata says so.',
    advisory: 'agent_auth without skill and claim_endpoint; RFC 7009 is not offered',
  },
  {
    id: 'uncounted-codes',
    what: 'Wrong codes are not counted: a code can be guessed for as long as it is valid.',
    advisory: 'CWE-307',
  },
  {
    id: 'any-account',
    what: 'Any account that is signed in may complete a claim for another email.',
    advisory: 'CWE-639',
  },
] as const satisfies readonly Bug[];

/** What the routers share. */
export interface App {
  readonly bug: string | undefined;
  readonly base: string;
  readonly now: () => number;
  readonly keys: KeySets;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
}

/** Everything but what it listens with. */
interface AppOptions {
  readonly bug?: string | undefined;
  /** Where it is going to be reached. */
  readonly url: string;
  readonly trusted: NonNullable<ServiceOptions['trust']>;
  readonly now: () => number;
}

export async function startExpressDefaults(options: ServiceOptions = {}): Promise<RunningService> {
  const outer = express().set('env', 'test');
  const { server, base } = await listening(outer);
  const { now = Date.now, trust: trusted = [], bug } = options;
  outer.use(await createApp({ url: base, trusted, now, bug }));
  return {
    url: base,
    resource: `${base}/api/resource`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** The application, before it listens. */
export async function createApp({ url: base, trusted, now, bug }: AppOptions): Promise<Express> {
  const app = express();
  // What is thrown is answered by Express, and not printed into the output of a test.
  app.set('env', 'test');
  const keys = new KeySets(trusted, now);
  const accounts = new Accounts(now, bug !== 'uncounted-codes');
  const tokens = await Tokens.create(base, now);
  const shared: App = { base, now, keys, accounts, tokens, bug };
  app.use(express.json(), express.urlencoded(), express.text({ type: 'application/secevent+jwt' }));
  app.use(metadataRouter(shared), identityRouter(shared), oauthRouter(shared));
  if (bug !== 'anonymous-alone') app.use(pagesRouter(shared), eventsRouter(shared));
  return app;
}

export function listening(
  app: Express,
): Promise<{ readonly server: Server; readonly base: string }> {
  return new Promise((resolve, reject) => {
    const server = app.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port was bound'));
      else resolve({ server, base: `http://127.0.0.1:${address.port}` });
    });
  });
}
