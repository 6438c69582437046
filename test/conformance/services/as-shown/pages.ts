import { html, type Markup } from '../support.ts';
import { secret } from './identities.ts';
import { fieldsOf, type Service } from './service.ts';

const COOKIE = 'visitor';

export function showClaim(service: Service, request: Request): Response {
  const attempt = new URL(request.url).searchParams.get('claim_attempt_token') ?? '';
  const email = visitorOf(service, request);
  if (email === undefined) {
    return page(html`<form method="post" action="/sign-in">
<input type="hidden" name="claim_attempt_token" value="${attempt}">
<label>Email <input type="email" name="email"></label> <button>Sign in</button></form>`);
  }
  const identity = service.identities.withAttempt(attempt);
  if (identity === undefined || !service.identities.isOpen(identity)) {
    return page(html`<p>This code is over.</p>`, 410);
  }
  if (identity.attempt.email !== email) return page(html`<p>This is for another account.</p>`, 403);
  return page(claimForm(attempt, email));
}

export async function answerSignIn({ visitors }: Service, request: Request): Promise<Response> {
  const { claim_attempt_token: attempt = '', email = '' } = await fieldsOf(request);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return page(html`<p>No email.</p>`, 400);
  const cookie = secret();
  visitors.set(cookie, email.toLowerCase());
  return new Response(null, {
    status: 303,
    headers: {
      location: `/claim?claim_attempt_token=${encodeURIComponent(attempt)}`,
      'set-cookie': `${COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Lax`,
    },
  });
}

/** The user types the code that the agent has shown. */
export async function answerClaim(service: Service, request: Request): Promise<Response> {
  const { claim_attempt_token: attempt = '', user_code: code = '' } = await fieldsOf(request);
  const email = visitorOf(service, request);
  if (email === undefined) return page(html`<p>Sign in first.</p>`, 401);
  const identity = service.identities.withAttempt(attempt);
  if (identity === undefined || !service.identities.isOpen(identity)) {
    return page(html`<p>This code is over.</p>`, 410);
  }
  if (identity.attempt.email !== email) return page(html`<p>This is for another account.</p>`, 403);
  if (code.replace(/[\s-]/g, '') !== identity.attempt.userCode) {
    return page(claimForm(attempt, email), 400);
  }
  service.identities.claim(identity);
  return page(html`<p>Done. Go back to your agent.</p>`);
}

function visitorOf({ visitors }: Service, request: Request): string | undefined {
  const cookie = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(request.headers.get('cookie') ?? '');
  return visitors.get(cookie?.[1] ?? '');
}

function claimForm(attempt: string, email: string): Markup {
  return html`<p>Signed in as ${email}. An agent wants to read and write for you.</p>
<form method="post" action="/agent/identity/claim/complete">
<input type="hidden" name="claim_attempt_token" value="${attempt}">
<label>Code <input name="user_code"></label> <button>Approve</button></form>`;
}

function page(body: Markup, status = 200): Response {
  return new Response(`<!doctype html><title>Claim</title>${body.text}`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}
