import {
  html,
  isFromHere,
  page,
  readEmail,
  readForm,
  type Session,
  sameText,
  seeOther,
} from '../support.ts';
import type { Service } from './service.ts';

/** GET /login: an email is enough; the accounts hold nothing. */
export function showLogin(service: Service, request: Request): Response {
  const session = service.sessions.find(request) ?? service.sessions.start(undefined);
  const wanted = new URL(request.url).searchParams.get('return_to') ?? '/account';
  return loginPage(service, 200, session, wanted);
}

/** POST /login */
export async function logIn(service: Service, request: Request): Promise<Response> {
  const form = await readForm(request);
  const old = service.sessions.find(request);
  const wanted = form.get('return_to') ?? '/account';
  if (!isOwnForm(service, request, form, old)) {
    return page(403, 'This form is not ours', html`<p>Open the page again.</p>`);
  }
  const email = readEmail(form.get('email'));
  if (email === undefined) {
    return loginPage(service, 400, old ?? service.sessions.start(undefined), wanted);
  }
  service.accounts.add(email);
  const session = service.sessions.start(old, email);
  return seeOther(landing(service, wanted), { 'Set-Cookie': service.sessions.cookieOf(session) });
}

/** GET /account */
export function showAccount(service: Service, request: Request): Response {
  const email = service.sessions.find(request)?.email;
  if (email === undefined) return loginFirst('/account');
  return page(200, 'Your account', html`<p>Signed in as ${email}.</p>`);
}

export function loginFirst(returnTo: string): Response {
  return seeOther(`/login?return_to=${encodeURIComponent(returnTo)}`);
}

/** Whether the form was filled in on a page of ours, in this session. */
export function isOwnForm(
  service: Service,
  request: Request,
  form: ReadonlyMap<string, string>,
  session: Session | undefined,
): boolean {
  if (service.has('no-csrf')) return true;
  if (session === undefined || !isFromHere(request, service.origin)) return false;
  return sameText(form.get('csrf'), session.csrf);
}

/** A page of this service, whatever was asked for. */
function landing(service: Service, wanted: string): string {
  if (service.has('open-redirect')) return wanted;
  if (!wanted.startsWith('/')) return '/account';
  try {
    const url = new URL(wanted, service.origin);
    // The whole URL: its path alone can begin with two slashes (`/.//elsewhere`).
    return url.origin === service.origin ? url.href : '/account';
  } catch {
    return '/account';
  }
}

function loginPage(service: Service, status: number, session: Session, returnTo: string): Response {
  return page(
    status,
    'Sign in',
    html`<form method="post" action="/login">
<input type="hidden" name="csrf" value="${session.csrf}">
<input type="hidden" name="return_to" value="${returnTo}">
<label>Email <input type="email" name="email" required></label>
<button>Sign in</button></form>`,
    { 'Set-Cookie': service.sessions.cookieOf(session) },
  );
}
