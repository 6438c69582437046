import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { type App, Fail } from './app.ts';
import { identity, startClaim } from './identity.ts';
import { fieldsOf, revoke, token } from './oauth.ts';
import { takeEvent } from './set.ts';

/** What agents and providers call: identity, claim, token, revocation, events. */
export function agentRouter(app: App): Router {
  const router = Router();
  const json = [only('application/json'), express.json({ limit: '64kb' })];
  const form = [only('application/x-www-form-urlencoded'), plain(), noCredentials];
  const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
  router.use(['/agent/identity', '/oauth2'], (_request, response, next) => {
    response.set(noStore);
    next();
  });
  router.post('/agent/identity', json, async (request: Request, response: Response) => {
    const { status, body } = await identity(app, request.body);
    if (status === 401) response.set('WWW-Authenticate', 'AgentAuth error="interaction_required"');
    response.status(status).json(body);
  });
  router.post('/agent/identity/claim', json, (request: Request, response: Response) => {
    response.json(startClaim(app, request.body));
  });
  router.post('/oauth2/token', form, (request: Request, response: Response) => {
    response.json(token(app, fieldsOf(request.body)));
  });
  router.post('/oauth2/revoke', form, (request: Request, response: Response) => {
    revoke(app, fieldsOf(request.body));
    response.status(200).end();
  });
  const event = [only('application/secevent+jwt'), plain()];
  router.post('/agent/event/notify', event, async (request: Request, response: Response) => {
    await takeEvent(app, String(request.body ?? ''));
    response.status(202).end();
  });
  router.use(
    ['/agent', '/oauth2'],
    (error: unknown, request: Request, response: Response, next: NextFunction) => {
      const fail = failOf(app, error);
      const isForm = request.path.endsWith('/complete') && request.is('urlencoded') !== false;
      if (fail === undefined || isForm || response.headersSent) return next(error);
      answerFail(request.baseUrl + request.path, fail, response);
    },
  );
  return router;
}

function answerFail(path: string, { status, code, message, more }: Fail, response: Response): void {
  response.status(status);
  if (status === 503) response.set('Retry-After', '3');
  if (path === '/agent/event/notify') {
    const err = code === 'invalid_signature' ? 'authentication_failed' : code;
    response.set('Content-Language', 'en').json({ err, description: message });
  } else if (path.startsWith('/oauth2')) {
    if (status === 401) response.set('WWW-Authenticate', 'Basic realm="clients"');
    response.json({ error: code, error_description: message });
  } else {
    if (status === 401) response.set('WWW-Authenticate', `AgentAuth error="${code}"`);
    response.json({ error: code, error_description: message, message, ...more });
  }
}

/** What the parsers of Express throw is the sender's fault as well. */
function failOf(app: App, error: unknown): Fail | undefined {
  if (error instanceof Fail) return error;
  if (!(error instanceof Error)) return undefined;
  const status: unknown = Reflect.get(error, 'status');
  if (typeof status !== 'number' || status >= 500) return undefined;
  const told = app.bug.is('verbose-errors') ? error.stack : undefined;
  return new Fail(status, 'invalid_request', told ?? 'The body cannot be read.');
}

function noCredentials(request: Request, _response: Response, next: NextFunction): void {
  const sent = request.get('authorization') !== undefined;
  next(sent ? new Fail(401, 'invalid_client', 'Clients do not authenticate here.') : undefined);
}

function plain() {
  return express.text({ type: () => true, limit: '64kb' });
}

export function only(type: string) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const sent = request.get('content-type')?.split(';')[0]?.trim().toLowerCase();
    next(sent === type ? undefined : new Fail(415, 'invalid_request', `Send ${type}.`));
  };
}
