import type { Context } from 'hono';
import { raw } from 'hono/html';
import { normalizeEmail } from '../../protocol/index.ts';
import { type Route, readForm, readQuery, seeOther, wireProblem } from '../http/index.ts';
import { page, pageEnvelope, type Site, signInView } from '../pages/index.ts';
import { safeReturnTo } from './return-to.ts';
import type { Sessions } from './sessions.ts';

export interface SignInOptions {
  readonly sessions: Sessions;
  readonly site: Site;
  /** Told of each sign-in; returns the key under which the session knows the user. */
  onSignIn(email: string): Promise<string>;
}

export const SIGN_IN_PATH = '/login';
export const SIGN_OUT_PATH = '/logout';

/**
 * Where to send somebody who must sign in first.
 * @param returnTo a path of ours. `again`: asks even who is signed in.
 */
export function signInAddress(returnTo: string, { again = false } = {}): string {
  const prompt = again ? '&prompt=login' : '';
  return `${SIGN_IN_PATH}?return_to=${encodeURIComponent(returnTo)}${prompt}`;
}

/** `/login` and `/logout`: any email, no password, and said so (wire.md §5). */
export function signInRoutes(options: SignInOptions): readonly Route[] {
  const envelope = pageEnvelope(options.site);
  return [
    { method: 'GET', path: SIGN_IN_PATH, envelope, handle: (c) => showForm(options, c) },
    { method: 'POST', path: SIGN_IN_PATH, envelope, handle: (c) => signIn(options, c) },
    { method: 'POST', path: SIGN_OUT_PATH, envelope, handle: (c) => signOut(options, c) },
  ];
}

async function showForm(options: SignInOptions, c: Context): Promise<Response> {
  const { sessions, site } = options;
  const returnTo = returnToOf(options, readQuery(c, 'return_to'));
  const { session, headers } = await sessions.ensure(c);
  const given = sessions.faults.has('signInByAddress') ? readQuery(c, 'email') : undefined;
  if (given !== undefined) return goOn(options, c, given, returnTo);
  const again = readQuery(c, 'prompt') === 'login';
  if (session.visitor && !again) return seeOther(returnTo);
  const typed = session.visitor?.email;
  const body = signInView({ returnTo, csrfToken: session.csrfToken, again, typed });
  return page(site, { title: 'Sign in', body, headers });
}

async function signIn(options: SignInOptions, c: Context): Promise<Response> {
  const { sessions, site } = options;
  const form = await readForm(c, 'complete');
  const session = await sessions.find(c);
  if (!sessions.faults.has('signInUnchecked')) {
    // Without the session that carried the form, there is nothing to check its token against.
    if (session === undefined) throw wireProblem('complete', 'csrf_failed');
    sessions.checkCsrf(c, session, form.get('csrf_token'));
  }
  const returnTo = returnToOf(options, form.get('return_to'));
  const typed = form.get('email');
  const email = normalizeEmail(typed?.trim() ?? '');
  if (email === undefined) {
    const { status } = wireProblem('complete', 'invalid_request');
    const problem = 'Type an email address, for example alice@example.com.';
    const body = signInView({
      returnTo,
      csrfToken: session?.csrfToken ?? '',
      again: false,
      typed: sessions.faults.has('typedUnescaped') ? raw(typed ?? '') : typed,
      problem,
    });
    return page(site, { title: 'Sign in', body, status });
  }
  const wanted = form.get('return_to') ?? returnTo;
  if (sessions.faults.has('openRefresh') && wanted !== returnTo) {
    const signedIn = await goOn(options, c, email, wanted);
    signedIn.headers.delete('location');
    signedIn.headers.set('refresh', `0; url=${encodeURI(wanted)}`);
    return new Response('', { headers: signedIn.headers });
  }
  return goOn(options, c, email, returnTo);
}

async function goOn(
  { onSignIn, sessions }: SignInOptions,
  c: Context,
  email: string,
  returnTo: string,
): Promise<Response> {
  const key = await onSignIn(email);
  return seeOther(returnTo, await sessions.signIn(c, key, email));
}

/** Where to go on after signing in, whatever was asked for. */
function returnToOf({ sessions, site }: SignInOptions, value: string | undefined): string {
  if (value !== undefined && sessions.faults.has('openRedirect')) return value;
  return safeReturnTo(value, sessions.origin, site.homePath);
}

/** Ends the session and asks for the next account, on the way to the same page. */
async function signOut({ sessions, site }: SignInOptions, c: Context): Promise<Response> {
  const form = await readForm(c, 'complete');
  const session = await sessions.find(c);
  const { faults } = sessions;
  if (session && !faults.has('signOutUnchecked')) {
    sessions.checkCsrf(c, session, form.get('csrf_token'));
  }
  const wanted = faults.has('signOutForgetsWay') ? undefined : form.get('return_to');
  if (wanted !== undefined && faults.has('signOutAnywhere')) {
    return seeOther(wanted, await sessions.signOut(c));
  }
  const returnTo = safeReturnTo(wanted, sessions.origin, site.homePath);
  return seeOther(signInAddress(returnTo), await sessions.signOut(c));
}
