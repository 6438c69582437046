import { timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { type App, Fail, LIFETIME } from './app.ts';
import { hashed, type Row, secret, text } from './db.ts';

const COOKIE = 'mc_visit';

function cookieOf(request: Request): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([name]) => name === COOKIE)?.[1];
}

export function visitOf(app: App, request: Request): Row | undefined {
  const cookie = cookieOf(request);
  if (cookie === undefined) return undefined;
  return app.db.row('SELECT * FROM visit WHERE hash = ? AND ends > ?', hashed(cookie), app.now());
}

export function visitOrNew(app: App, request: Request, response: Response): Row {
  return visitOf(app, request) ?? newVisit(app, response, null);
}

export function newVisit(app: App, response: Response, email: string | null): Row {
  const cookie = secret('');
  const row = {
    hash: hashed(cookie),
    email,
    csrf: secret(''),
    ends: app.now() + LIFETIME.visit,
    login: null,
  };
  app.db.insert('visit', row);
  const sameSite = app.bug.is('no-csrf') ? {} : ({ sameSite: 'lax' } as const);
  response.cookie(COOKIE, cookie, { httpOnly: true, path: '/', ...sameSite });
  return row;
}

export function endVisit(app: App, request: Request, response: Response): void {
  app.db.run('DELETE FROM visit WHERE hash = ?', text(visitOf(app, request), 'hash'));
  response.clearCookie(COOKIE, { path: '/' });
}

export function judgeCsrf(app: App, visit: Row | undefined, sent: unknown): void {
  if (app.bug.is('no-csrf')) return;
  const [a, b] = [Buffer.from(String(sent ?? '')), Buffer.from(text(visit, 'csrf'))];
  if (visit === undefined || a.length !== b.length || !timingSafeEqual(a, b))
    throw new Fail(
      403,
      'csrf_failed',
      'This form is not from this visit. Go back and load it again.',
    );
}

/** Refuses what a browser sends from elsewhere; must stand before every POST that reads the cookie. */
export function sameSite(app: App) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const [origin, from] = [request.get('origin'), request.get('sec-fetch-site')];
    const own =
      origin === undefined || origin === app.base || (origin === 'null' && from === 'same-origin');
    const good = own && from !== 'cross-site' && from !== 'same-site';
    next(
      good || app.bug.is('no-csrf')
        ? undefined
        : new Fail(403, 'csrf_failed', 'This was sent from another site.'),
    );
  };
}
