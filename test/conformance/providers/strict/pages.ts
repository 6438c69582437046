import {
  html,
  isFromHere,
  Markup,
  page,
  readEmail,
  readForm,
  type Session,
  sameText,
  seeOther,
} from '../../services/support.ts';
import type { Strict } from './state.ts';

type Form = ReadonlyMap<string, string>;

/** GET /login: an email is enough. */
export function showLogin(state: Strict, request: Request): Response {
  const { sessions } = state;
  const session = sessions.find(request) ?? sessions.start(undefined);
  const wanted = new URL(request.url).searchParams.get('to') ?? '/consents';
  const headers = { 'Set-Cookie': sessions.cookieOf(session) };
  const body = html`${csrf(session)}<input type="hidden" name="to" value="${wanted}">
<label>Email <input type="email" name="email"></label><button>Sign in</button>`;
  return page(200, 'Sign in', formTo('/login', body), headers);
}

/** POST /login */
export async function logIn(state: Strict, request: Request): Promise<Response> {
  const form = await readForm(request);
  const old = state.sessions.find(request);
  if (old === undefined || !isOwn(state, request, form, old)) return forged();
  const email = readEmail(form.get('email'));
  if (email === undefined) return page(400, 'This is no email', html`<p>Go back.</p>`);
  const session = state.sessions.start(old, email);
  const target = new URL(form.get('to') ?? '/', state.issuer);
  const isHere = target.origin === state.issuer && !target.pathname.startsWith('//');
  const to = isHere ? target.pathname + target.search : '/consents';
  return seeOther(to, { 'Set-Cookie': state.sessions.cookieOf(session) });
}

/** GET /device: asks for the code. */
export function showDevice(state: Strict, request: Request): Response {
  const session = signedIn(state, request);
  if (session === undefined) return toLogin(request);
  const body = html`${csrf(session)}<label>Code <input name="user_code"></label><button>Next</button>`;
  return page(200, 'Connect a device', formTo('/device', body));
}

/** POST /device: the code, and then the decision. */
export async function enterCode(state: Strict, request: Request): Promise<Response> {
  const form = await readForm(request);
  const session = signedIn(state, request);
  if (session === undefined) return toLogin(request);
  if (!isOwn(state, request, form, session)) return forged();
  const email = session.email ?? '';
  if (!state.mayType(email)) {
    return page(429, 'Too many wrong codes', html`<p>Start again tomorrow.</p>`);
  }
  const typed = form.get('user_code')?.trim().toUpperCase();
  const device = [...state.devices.values()].find(({ userCode }) => userCode === typed);
  if (device === undefined || device.until <= state.now() || device.decision !== undefined) {
    state.countWrongCode(email);
    return page(404, 'There is no such code', html`<p>Start again on your device.</p>`);
  }
  const decision = form.get('decision');
  if (decision === 'allow' || decision === 'deny') {
    device.decision = decision;
    device.email = email;
    return page(200, decision === 'allow' ? 'Connected' : 'Not connected', html`<p>Done.</p>`);
  }
  const code = html`<input type="hidden" name="user_code" value="${device.userCode}">`;
  return page(
    200,
    'Is this your device?',
    formTo('/device', html`${csrf(session)}${code}${BUTTONS}`),
  );
}

/** GET /consent */
export function showConsent(state: Strict, request: Request): Response {
  const session = signedIn(state, request);
  if (session === undefined) return toLogin(request);
  const id = new URL(request.url).searchParams.get('request') ?? '';
  const asked = state.asked.get(id);
  if (asked === undefined || asked.email !== session.email) return notYours();
  const { scopes, service } = asked;
  const body = html`${csrf(session)}<input type="hidden" name="request" value="${id}">
<p>An agent wants to tell ${service.name} who you are, for: ${scopes.join(' ') || 'nothing more'}.</p>${BUTTONS}`;
  return page(200, 'Do you agree?', formTo('/consent', body));
}

/** POST /consent */
export async function decideConsent(state: Strict, request: Request): Promise<Response> {
  const form = await readForm(request);
  const session = signedIn(state, request);
  if (session === undefined) return toLogin(request);
  if (!isOwn(state, request, form, session)) return forged();
  const id = form.get('request') ?? '';
  const asked = state.asked.get(id);
  if (asked === undefined || asked.email !== session.email) return notYours();
  state.asked.delete(id);
  if (form.get('decision') === 'allow') state.consent(asked);
  return page(200, 'Thank you', html`<p>You can close this page.</p>`);
}

/** GET /consents */
export function showConsents(state: Strict, request: Request): Response {
  const session = signedIn(state, request);
  if (session === undefined) return toLogin(request);
  const rows = state.consentsOf(session.email ?? '').map(
    ({ service }) =>
      html`${formTo(
        '/consents',
        html`${csrf(session)}<input type="hidden" name="audience" value="${service.issuer}">
${service.name} <button>End</button>`,
      )}`,
  );
  return page(200, 'Your consents', new Markup(rows.map(({ text }) => text).join('')));
}

/** POST /consents: ends one. */
export async function endConsent(state: Strict, request: Request): Promise<Response> {
  const form = await readForm(request);
  const session = signedIn(state, request);
  if (session === undefined) return toLogin(request);
  if (!isOwn(state, request, form, session)) return forged();
  await state.revoke(session.email ?? '', form.get('audience') ?? '');
  return seeOther('/consents');
}

const BUTTONS = html`<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>`;

function signedIn(state: Strict, request: Request): Session | undefined {
  const session = state.sessions.find(request);
  return session?.email === undefined ? undefined : session;
}

function isOwn(state: Strict, request: Request, form: Form, session: Session): boolean {
  return isFromHere(request, state.issuer) && sameText(form.get('csrf'), session.csrf);
}

function formTo(action: string, body: Markup): Markup {
  return html`<form method="post" action="${action}">${body}</form>`;
}

function csrf(session: Session): Markup {
  return html`<input type="hidden" name="csrf" value="${session.csrf}">`;
}

function toLogin(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  return seeOther(`/login?to=${encodeURIComponent(pathname + search)}`);
}

function forged(): Response {
  return page(403, 'This form is not ours', html`<p>Open the page again.</p>`);
}

function notYours(): Response {
  return page(404, 'There is nothing to decide', html`<p>Ask the agent for a new link.</p>`);
}
