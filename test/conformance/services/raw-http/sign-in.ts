import type { Call, Handler, Reply } from './http.ts';
import { isEmail } from './id-jag.ts';
import { begin, hidden, html, ownForm, ownPath, page, redirect, visitOf } from './pages.ts';

const PASSWORD = '/login/password';

const pathWith = (path: string, target: string) =>
  `${path}?return_to=${encodeURIComponent(target)}`;

/** Two steps, as in many companies: who are you, then the password. */
export const showLogin: Handler = (call) => {
  const target = ownPath(call.state, call.query.get('return_to'));
  if (visitOf(call)?.session.email !== undefined) return redirect(target);
  return askEmail(call, 200, target, '');
};

function askEmail(call: Call, status: number, target: string, note: string): Reply {
  const { session, cookies } = visitOf(call) ?? begin(call, undefined);
  return page(
    status,
    'Sign in',
    `${note}<form method="post" action="/login">${hidden('csrf_token', session.csrf)}${hidden('return_to', target)}
<label>Work email <input type="text" inputmode="email" name="email" autocomplete="username" required></label>
<button type="submit">Next</button></form>`,
    cookies.length === 0 ? {} : { 'set-cookie': cookies },
  );
}

export const logIn: Handler = (call) => {
  const { visit, form } = ownForm(call);
  const { state } = call;
  const typed = (form.get('email') ?? '').trim();
  const target = form.get('return_to') ?? '';
  if (!isEmail(typed)) {
    const echo = state.has('email-echoed-raw') ? typed : html(typed);
    return askEmail(call, 422, target, `<p role="alert">Not an email address: ${echo}</p>`);
  }
  const email = typed.toLowerCase();
  if (state.has('unknown-account-told') && !state.users.has(email)) {
    return page(404, 'Sign in', '<p>We have no account for this email.</p>');
  }
  visit.session.typed = email;
  return redirect(pathWith(PASSWORD, target));
};

export const askPassword: Handler = (call) =>
  passwordForm(call, 200, '', call.query.get('return_to') ?? '');

function passwordForm(
  call: Call,
  status: number,
  problem: string,
  target: string,
  headers: Reply['headers'] = {},
): Reply {
  const { typed, csrf } = visitOf(call)?.session ?? {};
  if (typed === undefined || csrf === undefined) return redirect('/login');
  return page(
    status,
    'Your password',
    `<p role="alert">${problem}</p><p>Signing in as ${html(typed)}. <a href="/login">Not you?</a></p>
<form method="post" action="${PASSWORD}">${hidden('csrf_token', csrf)}${hidden('return_to', target)}${hidden('email', typed)}
<label>Password <input type="password" name="password" autocomplete="current-password" required></label>
<button type="submit">Sign in</button></form>`,
    headers,
  );
}

export const takePassword: Handler = (call) => {
  const { visit, form } = ownForm(call);
  const { state } = call;
  const { typed } = visit.session;
  if (typed === undefined) return redirect('/login');
  const target = form.get('return_to') ?? '';
  const result = state.passwords.check(typed, form.get('password') ?? '');
  if (result === 'wrong') {
    const problem = 'This email and password do not belong together.';
    return passwordForm(call, 422, problem, target);
  }
  if (result !== 'right') {
    const later = { 'retry-after': String(result.waitSeconds) };
    return passwordForm(call, 429, 'Too many tries. Wait a minute.', target, later);
  }
  const named = state.has('account-of-the-second-form') ? form.get('email') : undefined;
  const email = named ?? typed;
  const next = ownPath(state, target);
  if (state.has('session-kept-at-sign-in')) {
    visit.session.email = email;
    return redirect(next);
  }
  state.sessions.delete(visit.id);
  return redirect(next, begin(call, email).cookies);
};
