import { type Context, Hono } from 'hono';
import { localTarget, ownForm } from './forms.ts';
import { csrfField, Html, html, page } from './html.ts';
import type { Session } from './sessions.ts';
import { emailOf, type Site } from './site.ts';

/** Two steps, as in many companies: who are you, then the password. */
export function signInRoutes(site: Site): Hono {
  const app = new Hono();
  app.get('/signin', (c) => askEmail(site, c, 200));
  app.post('/signin', async (c) => {
    const session = site.sessions.ofOrNew(c);
    const form = await ownForm(site, c, session);
    const email = emailOf(form['email']?.trim());
    if (email === undefined) return askEmail(site, c, 422, form['email'], form['next']);
    if (site.bug === 'unknown-account-told' && site.accounts.find(email) === undefined)
      return page(c, 404, 'Sign in', html`<p>We have no account for this email.</p>`);
    session.typedEmail = email;
    return c.redirect(`/signin/password?next=${encodeURIComponent(form['next'] ?? '')}`, 303);
  });
  app.get('/signin/password', (c) => {
    const session = site.sessions.of(c);
    if (session?.typedEmail === undefined) return c.redirect('/signin', 303);
    return askPassword(c, session, 200, '', c.req.query('next'));
  });
  app.post('/signin/password', async (c) => {
    const session = site.sessions.ofOrNew(c);
    const form = await ownForm(site, c, session);
    return signIn(site, c, session, form);
  });
  app.post('/signout', async (c) => {
    const session = site.sessions.ofOrNew(c);
    const form = await ownForm(site, c, session);
    site.sessions.end(c);
    return c.redirect(`/signin?next=${encodeURIComponent(localTarget(site, form['next']))}`, 303);
  });
  return app;
}

async function signIn(
  site: Site,
  c: Context,
  session: Session,
  form: Readonly<Record<string, string>>,
): Promise<Response> {
  const email = session.typedEmail;
  if (email === undefined) return c.redirect('/signin', 303);
  const result = await site.accounts.check(email, form['password'] ?? '');
  if (result === 'wrong')
    return askPassword(
      c,
      session,
      422,
      'This email and password do not belong together.',
      form['next'],
    );
  if ('waitSeconds' in result) {
    c.header('Retry-After', String(result.waitSeconds));
    return askPassword(c, session, 429, 'Too many tries. Wait a minute.', form['next']);
  }
  const named = site.bug === 'account-of-the-second-form' ? form['email'] : undefined;
  const account = site.accounts.find(named ?? result.email) ?? result;
  if (site.bug === 'session-kept-at-sign-in') session.account = account;
  else site.sessions.signIn(c, account);
  return c.redirect(localTarget(site, form['next']), 303);
}

function askEmail(
  site: Site,
  c: Context,
  status: 200 | 422,
  typed = '',
  next = c.req.query('next') ?? '',
): Response {
  const session = site.sessions.ofOrNew(c);
  const problem =
    status === 422 ? html`<p role="alert">Not an email address: ${echo(site, typed)}</p>` : html``;
  return page(
    c,
    status,
    'Sign in',
    html`${problem}<form method="post" action="/signin">${csrfField(session.csrf)}
<input type="hidden" name="next" value="${next}">
<label>Work email <input name="email" type="text" inputmode="email" autocomplete="username" required></label>
<button>Next</button></form>`,
  );
}

function echo(site: Site, typed: string): string | Html {
  return site.bug === 'email-echoed-raw' ? new Html(typed) : typed;
}

function askPassword(
  c: Context,
  session: Session,
  status: 200 | 422 | 429,
  problem: string,
  next = '',
): Response {
  return page(
    c,
    status,
    'Your password',
    html`<p role="alert">${problem}</p><p>Signing in as ${session.typedEmail ?? ''}.
<a href="/signin">Not you?</a></p>
<form method="post" action="/signin/password">${csrfField(session.csrf)}
<input type="hidden" name="next" value="${next}">
<input type="hidden" name="email" value="${session.typedEmail ?? ''}">
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>`,
  );
}
