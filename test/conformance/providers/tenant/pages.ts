import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { type Accounts, type Device, isSame, type Session } from './accounts.ts';

const COOKIE = 'tenant_session';
const EMAIL = /^[^\s@<>"'&]{1,64}@[\w.-]{1,180}$/;

type Markup = ReturnType<typeof html>;
type Input = Readonly<Record<string, string>>;

interface PagesOptions {
  readonly accounts: Accounts;
  readonly origin: string;
  /** Where the pages lie, for example `/t/acme`. */
  readonly base: string;
  readonly end: (email: string, audience: string) => Promise<unknown>;
}

/** What the user sees: sign-in, the device's code, consents. */
export function pagesOf({ accounts, origin, base, end }: PagesOptions) {
  const app = new Hono();

  const show = (c: Context, title: string, body: Markup, status = 200) => {
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    c.header('X-Frame-Options', 'DENY');
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'same-origin');
    c.header('Cache-Control', 'no-store');
    const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`;
    return c.html(page, status as 200);
  };
  const say = (c: Context, status: number, title: string) =>
    show(c, title, html`<p><a href="${base}/device">Enter a code</a></p>`, status);
  const later = (c: Context, seconds: number) => {
    c.header('Retry-After', String(seconds));
    return say(c, 429, 'Too many attempts. Try again later.');
  };

  const sessionOf = (c: Context): Session => {
    const known = accounts.sessions.get(getCookie(c, COOKIE) ?? '');
    return known ?? keep(c, accounts.open());
  };
  const keep = (c: Context, session: Session) => {
    setCookie(c, COOKIE, session.id, {
      path: base,
      httpOnly: true,
      sameSite: 'Lax',
      secure: origin.startsWith('https:'),
    });
    return session;
  };
  const signIn = (c: Context) => {
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(`${base}/sign-in?next=${encodeURIComponent(pathname + search)}`, 303);
  };
  const safe = (next: string | undefined) => {
    if (next === undefined || !URL.canParse(next, origin)) return `${base}/device`;
    const url = new URL(next, origin);
    const isOurs = url.origin === origin && url.pathname.startsWith(`${base}/`);
    return isOurs ? url.pathname + url.search : `${base}/device`;
  };
  const hidden = (session: Session) =>
    html`<input type="hidden" name="_token" value="${session.csrf}">`;

  /** A form of ours, sent from our own page; undefined otherwise. */
  const readForm = async (c: Context, session: Session): Promise<Input | undefined> => {
    const from = c.req.header('origin');
    const isOwn =
      from === undefined ||
      from === origin ||
      (from === 'null' && c.req.header('sec-fetch-site') === 'same-origin');
    const type = c.req.header('content-type') ?? '';
    if (!isOwn || !/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
    const form = Object.fromEntries(new URLSearchParams(await c.req.text()));
    return isSame(form['_token'] ?? '', session.csrf) ? form : undefined;
  };
  const refuse = (c: Context) => say(c, 403, 'This form was not sent from our page.');

  app.get('/sign-in', (c) => {
    const session = sessionOf(c);
    const next = safe(c.req.query('next'));
    const form = html`<form method="post" action="${base}/sign-in">${hidden(session)}
<input type="hidden" name="next" value="${next}">
<label>Email <input type="email" name="email" required autocomplete="username"></label>
<button type="submit">Sign in</button></form>`;
    return show(c, 'Sign in (a test provider: no password)', form);
  });

  app.post('/sign-in', async (c) => {
    const session = sessionOf(c);
    const form = await readForm(c, session);
    if (form === undefined) return refuse(c);
    const email = (form['email'] ?? '').trim().toLowerCase();
    if (!EMAIL.test(email)) return say(c, 400, 'This is no email address.');
    const wait = accounts.signIns.wait(email);
    if (wait > 0) return later(c, wait);
    accounts.signIns.count(email);
    accounts.sessions.delete(session.id);
    keep(c, accounts.open(email));
    return c.redirect(safe(form['next']), 303);
  });

  const isFresh = (session: Session, device: Device) => session.signedInAt >= device.signInAfter;

  const askCode = (c: Context, session: Session, note = '', status = 200) =>
    show(
      c,
      'Connect a device',
      html`<p>${note}</p><p>Signed in as ${session.email}.</p>
<form method="post" action="${base}/device">${hidden(session)}
<label>Code <input name="user_code" required autocomplete="off" value="${c.req.query('user_code') ?? ''}"></label>
<button type="submit">Continue</button></form>`,
      status,
    );

  app.get('/device', (c) => {
    const session = sessionOf(c);
    return session.email === undefined ? signIn(c) : askCode(c, session);
  });

  app.post('/device', async (c) => {
    const session = sessionOf(c);
    const form = await readForm(c, session);
    if (form === undefined) return refuse(c);
    const { email } = session;
    if (email === undefined) return signIn(c);
    const wait = accounts.wrongCodes.wait(email);
    if (wait > 0) return later(c, wait);
    const device = accounts.deviceFor(form['user_code'] ?? '');
    if (device === undefined) {
      accounts.wrongCodes.count(email);
      return askCode(c, session, 'This code is not known.', 400);
    }
    if (!isFresh(session, device)) {
      const next = `${base}/device?user_code=${device.userCode}`;
      return c.redirect(`${base}/sign-in?next=${encodeURIComponent(next)}`, 303);
    }
    if (form['answer'] === undefined) return confirm(c, session, device);
    if (form['answer'] !== 'allow' && form['answer'] !== 'deny') return say(c, 400, 'No answer.');
    const isAllowed = form['answer'] === 'allow';
    device.decision = isAllowed ? { email, signedInAt: session.signedInAt } : 'denied';
    return say(c, 200, isAllowed ? 'The device is connected.' : 'The device was refused.');
  });

  const confirm = (c: Context, session: Session, device: Device) =>
    show(
      c,
      'Is this your device?',
      html`<p>The agent “agent-auth” shows the code <b>${device.userCode}</b> and wants to know who
you are: ${session.email}. Allow this only if you started it yourself.</p>
<form method="post" action="${base}/device">${hidden(session)}
<input type="hidden" name="user_code" value="${device.userCode}">
<button type="submit" name="answer" value="allow">Allow</button>
<button type="submit" name="answer" value="deny">Deny</button></form>`,
    );

  app.get('/consents/new/:wish', (c) => {
    const session = sessionOf(c);
    if (session.email === undefined) return signIn(c);
    const wish = accounts.wishes.get(c.req.param('wish'));
    if (wish === undefined) return say(c, 404, 'There is nothing to decide here.');
    if (wish.email !== session.email) return say(c, 403, 'This was asked of another account.');
    const body = html`<p>Your agent wants to identify you, ${wish.email}, at
<b>${wish.service.audience}</b>.</p><p>It may then do there: ${wish.scopes.join(' ') || 'nothing but sign in'}</p>
<form method="post">${hidden(session)}
<button type="submit" name="answer" value="approve">Approve</button>
<button type="submit" name="answer" value="deny">Deny</button></form>`;
    return show(c, 'Identify you at a service?', body);
  });

  app.post('/consents/new/:wish', async (c) => {
    const session = sessionOf(c);
    const form = await readForm(c, session);
    if (form === undefined) return refuse(c);
    if (session.email === undefined) return signIn(c);
    const wish = accounts.wishes.get(c.req.param('wish'));
    if (wish === undefined) return say(c, 404, 'There is nothing to decide here.');
    if (wish.email !== session.email) return say(c, 403, 'This was asked of another account.');
    if (form['answer'] !== 'approve' && form['answer'] !== 'deny') return say(c, 400, 'No answer.');
    accounts.wishes.delete(c.req.param('wish'));
    if (form['answer'] === 'deny') return say(c, 200, 'You said no.');
    accounts.agree(wish);
    return say(c, 200, 'You agreed. Your agent goes on.');
  });

  app.get('/consents', (c) => {
    const session = sessionOf(c);
    if (session.email === undefined) return signIn(c);
    const own = [...accounts.consents.values()].filter(({ email }) => email === session.email);
    const rows = own.map(
      ({ key, scopes, service }) => html`<li>${service.audience} (${scopes.join(' ')})
<form method="post" action="${base}/consents">${hidden(session)}
<input type="hidden" name="consent" value="${key}"><button type="submit">Revoke</button></form></li>`,
    );
    return show(c, 'Where you are identified', html`<ul>${rows}</ul>`);
  });

  app.post('/consents', async (c) => {
    const session = sessionOf(c);
    const form = await readForm(c, session);
    if (form === undefined) return refuse(c);
    if (session.email === undefined) return signIn(c);
    const consent = accounts.consents.get(form['consent'] ?? '');
    if (consent?.email !== session.email) return say(c, 404, 'There is no such consent.');
    await end(session.email, consent.service.audience);
    return c.redirect(`${base}/consents`, 303);
  });

  return app;
}
