import { type Request, type Response, Router } from 'express';
import type { App } from '../express-defaults.ts';
import { Problem, readSecurityEvent } from '../support.ts';

const ENDING = '/events/agent/auth/identity/assertion/revoked';

export function eventsRouter({ base, keys, accounts }: App): Router {
  const router = Router();
  router.post('/agent/event/notify', async (request: Request, response: Response) => {
    try {
      const event = await readSecurityEvent(asFetched(request, base), keys, base);
      const isNew = accounts.use(`set ${event.iss} ${event.jti}`, Number.POSITIVE_INFINITY);
      const isRevocation = Object.keys(event.events).some((type) => type.endsWith(ENDING));
      if (isNew && isRevocation && event.sub !== undefined) {
        accounts.endSubject(JSON.stringify([event.iss, event.sub]), event.iat);
      }
      response.status(202).end();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      const { status, code, message } = problem;
      const body = { err: code, description: message };
      response.status(status).set('Content-Language', 'en').json(body);
    }
  });
  return router;
}

function asFetched(request: Request, base: string): globalThis.Request {
  return new globalThis.Request(new URL(request.url, base), {
    method: 'POST',
    headers: { 'content-type': request.get('content-type') ?? '' },
    body: typeof request.body === 'string' ? request.body : '',
  });
}
