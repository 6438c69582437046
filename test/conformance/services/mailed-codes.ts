/**
 * A service without passwords: whoever reads the mail of an address is its user. Express on a database; JWTs
 * by `node:crypto`. Its mails lie in a folder (`mailed-codes/read-mail.js`). `bug` switches one mistake on.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { agentRouter } from './mailed-codes/agents.ts';
import { type App, Fail } from './mailed-codes/app.ts';
import { Switch } from './mailed-codes/bugs.ts';
import { claimRouter } from './mailed-codes/claim.ts';
import { Db } from './mailed-codes/db.ts';
import { Jwts } from './mailed-codes/jwts.ts';
import { esc, show } from './mailed-codes/layout.ts';
import { Post } from './mailed-codes/post.ts';
import { publicRouter } from './mailed-codes/public.ts';
import { signInRouter } from './mailed-codes/sign-in.ts';
import { sameSite } from './mailed-codes/visits.ts';
import type { RunningService, ServiceOptions } from './support.ts';

export async function startMailedCodes(options: ServiceOptions = {}): Promise<RunningService> {
  const server = createServer({ keepAliveTimeout: 60_000 });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = options.now ?? Date.now;
  const app: App = {
    base,
    db: new Db(),
    jwts: new Jwts(options.trust ?? [], now),
    post: new Post(base),
    bug: new Switch(options.bug),
    now,
  };
  server.on('request', handlers(app));
  return {
    url: base,
    resource: `${base}/api/resource`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      app.db.close();
      app.post.close();
    },
  };
}

function handlers(app: App): express.Express {
  const all = express();
  all.disable('x-powered-by').set('env', 'test');
  const pages = ['/sign-in', '/sign-out', '/c', '/agents', '/agent/identity/claim/complete'];
  const form = express.urlencoded({ extended: false, limit: '16kb' });
  if (app.bug.is('reflected-cors')) all.use(allowEverybody);
  all.use(publicRouter(app));
  all.post(
    pages.flatMap((path) => [path, `${path}/*rest`]),
    sameSite(app),
    form,
    express.json(),
  );
  all.use(signInRouter(app), claimRouter(app), agentRouter(app));
  all.use((_request: Request, response: Response) => {
    response.status(404).json({ error: 'not_found' });
  });
  all.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof Fail) || response.headersSent) return next(error);
    show(response, error.status, 'That did not work', `<p role="alert">${esc(error.message)}</p>`);
  });
  return all;
}

function allowEverybody(request: Request, response: Response, next: NextFunction): void {
  const origin = request.get('origin');
  if (origin !== undefined)
    response.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
    });
  next();
}
