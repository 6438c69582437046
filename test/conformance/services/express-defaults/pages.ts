import { type Request, type Response, Router } from 'express';
import type { App } from '../express-defaults.ts';
import { html, type Markup, randomText, readEmail, sameText } from '../support.ts';
import type { Registration } from './accounts.ts';

interface Visit {
  readonly csrf: string;
  readonly email?: string;
}

/** A sign-in by email, in two steps, and a form for the code. There is nothing to deny with: one can leave. */
export function pagesRouter({ base, accounts, bug }: App): Router {
  const visits = new Map<string, Visit>();
  const router = Router();

  router.get('/claim', (request, response) => {
    const attempt = String(request.query['attempt'] ?? '');
    const visit = visitOf(request);
    if (visit?.email === undefined) {
      const csrf = begin(response).csrf;
      return show(response, 200, signInForm(csrf, attempt));
    }
    const registration = accounts.withAttempt(attempt);
    if (registration === undefined || !accounts.isLive(registration)) {
      return show(response, 410, html`<p>This code is over.</p>`);
    }
    if (!isFor(registration, visit.email)) {
      return show(response, 403, html`<p>This is for another account.</p>`);
    }
    show(response, 200, codeForm(visit.csrf, attempt, visit.email));
  });

  router.post('/sign-in', (request, response) => {
    const { csrf, attempt, email: given, sure } = request.body;
    const visit = visitOf(request);
    if (visit === undefined || !isOurs(request) || !sameText(csrf, visit.csrf)) {
      return show(response, 403, html`<p>The form is over. Open the link again.</p>`);
    }
    const email = readEmail(given);
    if (email === undefined) return show(response, 400, signInForm(visit.csrf, String(attempt)));
    if (sure === undefined)
      return show(response, 200, sureForm(visit.csrf, String(attempt), email));
    begin(response, email);
    response.redirect(303, `/claim?attempt=${encodeURIComponent(String(attempt))}`);
  });

  router.post('/claim', (request, response) => {
    const { csrf, attempt, user_code: code } = request.body;
    const visit = visitOf(request);
    if (visit?.email === undefined) return show(response, 401, html`<p>Sign in first.</p>`);
    if (!isOurs(request) || !sameText(csrf, visit.csrf)) {
      return show(response, 403, html`<p>The form is over. Open the link again.</p>`);
    }
    const registration = accounts.withAttempt(String(attempt));
    if (registration === undefined || !isFor(registration, visit.email)) {
      return show(response, 403, html`<p>This is for another account.</p>`);
    }
    if (accounts.enter(registration, String(code))) {
      return show(response, 200, html`<p>Done. Go back to your agent.</p>`);
    }
    if (!accounts.isLive(registration)) {
      return show(response, 410, html`<p>This code is over.</p>`);
    }
    show(response, 400, codeForm(visit.csrf, String(attempt), visit.email));
  });

  return router;

  function visitOf(request: Request): Visit | undefined {
    const id = /(?:^|; )visit=([^;]+)/.exec(request.get('cookie') ?? '')?.[1];
    return visits.get(id ?? '');
  }

  /** With a new id at each step: none from before a sign-in is good after it. */
  function begin(response: Response, email?: string): Visit {
    const id = randomText();
    const visit = { csrf: randomText(), ...(email !== undefined && { email }) };
    visits.set(id, visit);
    response.cookie('visit', id, { httpOnly: true, sameSite: 'lax' });
    return visit;
  }

  function isFor({ email }: Registration, visitor: string): boolean {
    return email === visitor || bug === 'any-account';
  }

  function isOurs(request: Request): boolean {
    return request.get('origin') === undefined || request.get('origin') === base;
  }
}

function signInForm(csrf: string, attempt: string): Markup {
  return html`<form method="post" action="/sign-in">
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="attempt" value="${attempt}">
<label>Email <input type="email" name="email"></label> <button>Sign in</button></form>`;
}

function sureForm(csrf: string, attempt: string, email: string): Markup {
  return html`<p>${email}</p><form method="post" action="/sign-in">
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="attempt" value="${attempt}">
<input type="hidden" name="email" value="${email}">
<button name="sure" value="yes">Yes, go on</button></form>`;
}

function codeForm(csrf: string, attempt: string, email: string): Markup {
  return html`<p>You are ${email}. An agent asks to read and write for you.</p>
<form method="post" action="/claim">
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="attempt" value="${attempt}">
<label>Code <input name="user_code"></label> <button>Allow</button></form>`;
}

function show(response: Response, status: number, body: Markup): void {
  response
    .status(status)
    .set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    .set('X-Frame-Options', 'DENY')
    .set('Referrer-Policy', 'same-origin')
    .set('Cache-Control', 'no-store')
    .send(`<!doctype html><title>Agents</title>${body.text}`);
}
