import { randomInt } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { type App, address, LIFETIME } from './app.ts';
import { count, hashed, type Row, secret, text } from './db.ts';
import { esc, hidden, show } from './layout.ts';
import { endVisit, judgeCsrf, newVisit, visitOf, visitOrNew } from './visits.ts';

const TRIES = 5;

/** An email, then the code that was sent to it; or the link of the mail, and the button behind it. */
export function signInRouter(app: App): Router {
  const router = Router();
  router.get('/sign-in', (request, response) => {
    const visit = visitOrNew(app, request, response);
    askEmail(response, 200, visit, String(request.query['next'] ?? ''), '');
  });
  router.post('/sign-in', (request, response) => sendCode(app, request, response));
  router.get('/sign-in/code', (request, response) => {
    const visit = visitOf(app, request);
    const login = loginOf(app, visit);
    const isIn = login !== undefined && visit?.['email'] === login['email'];
    if (isIn) return response.redirect(303, text(login, 'next'));
    if (visit === undefined || login === undefined) return response.redirect(303, '/sign-in');
    askCode(response, 200, visit, login, '');
  });
  router.post('/sign-in/code', (request, response) => takeCode(app, request, response));
  router.get('/sign-in/link/:token', (request, response) => showLink(app, request, response));
  router.post('/sign-in/link', (request, response) => takeLink(app, request, response));
  router.post('/sign-out', (request, response) => {
    judgeCsrf(app, visitOf(app, request), request.body.csrf);
    endVisit(app, request, response);
    response.redirect(
      303,
      `/sign-in?next=${encodeURIComponent(localPath(app, request.body.next))}`,
    );
  });
  return router;
}

/** Only paths of ours; a browser reads `//host` and `/\host` as another host. */
export function localPath(app: App, next: unknown): string {
  const path = typeof next === 'string' ? next : '';
  if (app.bug.is('open-redirect') && path !== '') return path;
  const plain = /^\/[\w~.%-][\w/?=&~.%-]*$/.test(path);
  return plain && new URL(path, app.base).origin === app.base ? path : '/agents';
}

function sendCode(app: App, request: Request, response: Response) {
  const visit = visitOrNew(app, request, response);
  judgeCsrf(app, visit, request.body.csrf);
  const typed = String(request.body.email ?? '').trim();
  const folded = app.bug.is('folded-email') && typed.includes('@');
  const email = folded ? typed.normalize('NFKC').toLowerCase() : address(typed);
  const next = localPath(app, request.body.next);
  if (email === undefined) return askEmail(response, 422, visit, next, 'That is no email address.');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const link = secret('');
  const id = secret('');
  app.db.insert('login', {
    id,
    email,
    code: hashed(id + code),
    link: hashed(link),
    next,
    visit: text(visit, 'hash'),
    ends: app.now() + LIFETIME.login,
  });
  app.db.run('UPDATE visit SET login = ? WHERE hash = ?', id, text(visit, 'hash'));
  const forwarded = request.get('x-forwarded-host');
  const spoofed = app.bug.is('link-by-forwarded-host') && forwarded !== undefined;
  const origin = spoofed ? `http://${forwarded}` : app.base;
  app.post.send(folded ? typed : email, 'Sign in', mail(code, `${origin}/sign-in/link/${link}`));
  response.redirect(303, '/sign-in/code');
}

function mail(code: string, link: string): string {
  return [
    'Hello,',
    `your code to sign in is ${code}. It is good for 10 minutes.`,
    `Or open ${link} in this browser.`,
    'If you did not ask for it, do nothing.',
  ].join('\n\n');
}

function loginOf(app: App, visit: Row | undefined): Row | undefined {
  const sql = 'SELECT * FROM login WHERE id = ?';
  return app.db.row(sql, text(visit, 'login'));
}

function takeCode(app: App, request: Request, response: Response) {
  const visit = visitOf(app, request);
  judgeCsrf(app, visit, request.body.csrf);
  const login = loginOf(app, visit);
  if (visit === undefined || login === undefined) return response.redirect(303, '/sign-in');
  const code = String(request.body.code ?? '').replace(/\s/g, '');
  const over = count(login, 'tries') >= TRIES || app.now() >= count(login, 'ends');
  if (over || (count(login, 'used') === 1 && !app.bug.is('code-twice')))
    return askEmail(
      response,
      410,
      visit,
      text(login, 'next'),
      'That code is over. We send you another.',
    );
  if (!app.bug.is('code-guessed'))
    app.db.run('UPDATE login SET tries = tries + 1 WHERE id = ?', text(login, 'id'));
  if (!isCodeOf(app, login, code))
    return askCode(response, 422, visit, login, 'That is not the code.');
  signIn(app, request, response, login);
}

function isCodeOf(app: App, login: Row, code: string): boolean {
  const candidates = app.bug.is('code-of-anybody')
    ? app.db.rows('SELECT * FROM login WHERE used = 0 AND ends > ?', app.now())
    : [login];
  return candidates.some((one) => hashed(text(one, 'id') + code) === text(one, 'code'));
}

function signIn(app: App, request: Request, response: Response, login: Row) {
  app.db.run('UPDATE login SET used = 1 WHERE id = ?', text(login, 'id'));
  app.db.run('INSERT OR IGNORE INTO account (email) VALUES (?)', text(login, 'email'));
  const before = text(visitOf(app, request), 'hash');
  if (!app.bug.is('code-twice')) app.db.run('DELETE FROM visit WHERE hash = ?', before);
  newVisit(app, response, text(login, 'email'));
  response.redirect(303, text(login, 'next'));
}

/** Nothing happens by opening a link: mail scanners do that, too. */
function showLink(app: App, request: Request, response: Response) {
  const link = String(request.params['token']);
  const sql = 'SELECT * FROM login WHERE link = ? AND used = 0 AND ends > ?';
  const login = app.db.row(sql, hashed(link), app.now());
  if (login === undefined) return show(response, 410, 'This link is over', '<p>Sign in again.</p>');
  if (app.bug.is('link-signs-in-asker'))
    app.db.run(
      'UPDATE visit SET email = ? WHERE hash = ?',
      text(login, 'email'),
      text(login, 'visit'),
    );
  const visit = visitOrNew(app, request, response);
  const button = '<button>Sign in here</button>';
  const fields = hidden('csrf', visit['csrf']) + hidden('link', link);
  const form = `<form method="post" action="/sign-in/link">${fields}${button}</form>`;
  show(response, 200, 'Sign in', `<p>As ${esc(login['email'])}, in this browser?</p>`, form);
}

function takeLink(app: App, request: Request, response: Response) {
  judgeCsrf(app, visitOf(app, request), request.body.csrf);
  const sql = 'SELECT * FROM login WHERE link = ? AND used = 0 AND ends > ?';
  const login = app.db.row(sql, hashed(String(request.body.link ?? '')), app.now());
  if (login === undefined) return show(response, 410, 'This link is over', '<p>Sign in again.</p>');
  signIn(app, request, response, login);
}

function askEmail(response: Response, status: number, visit: Row, next: string, problem: string) {
  const fields = hidden('csrf', visit['csrf']) + hidden('next', next);
  show(
    response,
    status,
    'Sign in',
    `<p role="alert">${esc(problem)}</p><p>We send you a code. There are no passwords here.</p>`,
    `<form method="post" action="/sign-in">${fields}<label for="m">Your email</label>`,
    '<input id="m" name="email" type="email" required><button type="submit">Send the code</button></form>',
  );
}

function askCode(response: Response, status: number, visit: Row, login: Row, problem: string) {
  const field =
    '<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required>';
  show(
    response,
    status,
    'Look into your mail',
    `<p role="alert">${esc(problem)}</p><p>We sent a code to ${esc(login['email'])}.</p>`,
    `<form method="post" action="/sign-in/code">${hidden('csrf', visit['csrf'])}`,
    `<label for="code">Code</label>${field}<button type="submit">Sign in</button></form>`,
  );
}
