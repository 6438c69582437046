import { normalizeEmail } from '../../protocol/email.ts';
import { type BodyReader, type Context, type Route, readForm, readQuery } from '../http/request.ts';
import { seeOther, wireProblem } from '../http/response.ts';
import { page } from '../pages/page.ts';
import { pageEnvelope } from '../pages/page-envelope.ts';
import type { signInView } from '../pages/sign-in-view.ts';
import type { Site } from '../pages/site.ts';
import type { ReturnTo } from './return-to.ts';
import type { Sessions } from './sessions.ts';

export interface SignInOptions {
  readonly sessions: Sessions;
  readonly reader: BodyReader;
  readonly returnTo: ReturnTo;
  readonly views: { readonly signIn: typeof signInView };
  readonly site: Site;
  /** The URL elsewhere that the path to go back to leads on to, which the form then may lead to. Left out: none. */
  readonly leavesFor?: (returnTo: string) => URL | undefined;
  /** Called at each sign-in; returns the key of the user in the session. */
  onSignIn(email: string): Promise<string>;
}

export const SIGN_IN_PATH = '/login';
export const SIGN_OUT_PATH = '/logout';

/**
 * Where to send a browser that must sign in first.
 * @param returnTo a path of ours. `again`: asks a user who is signed in as well. `hint`: whom the client means.
 */
export function signInUrl(
  returnTo: string,
  { again = false, hint }: { readonly again?: boolean; readonly hint?: string | undefined } = {},
): string {
  const prompt = again ? '&prompt=login' : '';
  const meant = hint === undefined ? '' : `&login_hint=${encodeURIComponent(hint)}`;
  return `${SIGN_IN_PATH}?return_to=${encodeURIComponent(returnTo)}${prompt}${meant}`;
}

/** `/login` and `/logout`: any email, no password; the pages say so (wire contract §5). */
export function signInRoutes(options: SignInOptions): readonly Route[] {
  const envelope = pageEnvelope(options.site);
  return [
    { method: 'GET', path: SIGN_IN_PATH, envelope, handle: (c) => showForm(options, c) },
    { method: 'POST', path: SIGN_IN_PATH, envelope, handle: (c) => signIn(options, c) },
    { method: 'POST', path: SIGN_OUT_PATH, envelope, handle: (c) => signOut(options, c) },
  ];
}

async function showForm(options: SignInOptions, c: Context): Promise<Response> {
  const { leavesFor, sessions, site, views } = options;
  const returnTo = returnToOf(options, readQuery(c, 'return_to'));
  const { session, headers } = await sessions.ensure(c);
  const again = readQuery(c, 'prompt') === 'login';
  if (session.visitor && !again) return seeOther(returnTo);
  const typed = readQuery(c, 'login_hint') ?? session.visitor?.email;
  const body = views.signIn({ returnTo, csrfToken: session.csrfToken, again, typed });
  return page(site, { title: 'Sign in', body, headers, leadsTo: leavesFor?.(returnTo) });
}

async function signIn(options: SignInOptions, c: Context): Promise<Response> {
  const { leavesFor, onSignIn, reader, sessions, site, views } = options;
  const form = await readForm(reader, c, 'complete');
  const session = await sessions.find(c);
  // Without the session that carried the form, there is nothing to check its token against.
  if (session === undefined) throw wireProblem('complete', 'csrf_failed');
  sessions.checkCsrf(c, session, form.get('csrf_token'));
  const returnTo = returnToOf(options, form.get('return_to'));
  const typed = form.get('email');
  const email = normalizeEmail(typed?.trim() ?? '');
  if (email === undefined) {
    const { status } = wireProblem('complete', 'invalid_request');
    const problem = 'Enter an email address, for example alice@example.com.';
    const { csrfToken } = session;
    const body = views.signIn({ returnTo, csrfToken, again: false, typed, problem });
    return page(site, { title: 'Sign in', body, status, leadsTo: leavesFor?.(returnTo) });
  }
  const key = await onSignIn(email);
  return seeOther(returnTo, await sessions.signIn(c, key, email));
}

/** Where to go after signing in: a path of ours, whatever was requested. */
function returnToOf(
  { returnTo, sessions, site }: SignInOptions,
  value: string | undefined,
): string {
  return returnTo(value, sessions.origin, site.homePath);
}

/** Ends the session and asks for the next account, on the way to the same page. */
async function signOut(options: SignInOptions, c: Context): Promise<Response> {
  const { reader, sessions } = options;
  const form = await readForm(reader, c, 'complete');
  const session = await sessions.find(c);
  if (session) sessions.checkCsrf(c, session, form.get('csrf_token'));
  const returnTo = returnToOf(options, form.get('return_to'));
  return seeOther(signInUrl(returnTo), await sessions.signOut(c));
}
