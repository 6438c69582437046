import {
  html,
  isFromHere,
  type Markup,
  page,
  readEmail,
  readForm,
  type Session,
  sameText,
  seeOther,
} from '../support.ts';
import type { Desk } from './desk.ts';

/** A form of ours, as it came back. */
export interface Submission {
  readonly form: ReadonlyMap<string, string>;
  readonly session: Session;
}

/** GET /auth/hello: first step of the sign-in, which email? */
export function askEmail(desk: Desk, request: Request): Response {
  const session = desk.sessions.find(request) ?? desk.sessions.start(undefined);
  return emailPage(desk, 200, session);
}

/** POST /auth/hello */
export async function takeEmail(desk: Desk, request: Request): Promise<Response> {
  const submission = await readSubmission(desk, request);
  if (submission === undefined) return strangeForm();
  const { form, session } = submission;
  const email = readEmail(form.get('mailbox'));
  if (email === undefined) return emailPage(desk, 422, session);
  return page(
    200,
    'Is this you?',
    html`<p>${email}</p>
<form method="post" action="/auth/hello/yes">${formKey(session)}
<input type="hidden" name="mailbox" value="${email}"><button>Yes, go on</button></form>`,
  );
}

/**
 * POST /auth/hello/yes: nothing is behind the accounts, so the word is taken for it. Where the visitor
 * goes on to is kept in the session: an email in the form could be anybody's.
 */
export async function takeConfirmation(desk: Desk, request: Request): Promise<Response> {
  const submission = await readSubmission(desk, request);
  if (submission === undefined) return strangeForm();
  const email = readEmail(submission.form.get('mailbox'));
  if (email === undefined) return emailPage(desk, 422, submission.session);
  desk.registry.addUser(email);
  const next = submission.session.next ?? '/auth/home';
  const session = desk.sessions.start(submission.session, email);
  return seeOther(next, { 'Set-Cookie': desk.sessions.cookieOf(session) });
}

/** GET /auth/home */
export function home(desk: Desk, request: Request): Response {
  const email = desk.sessions.find(request)?.email;
  if (email === undefined) return signInFirst(desk, request, '/auth/home');
  return page(
    200,
    'Notes',
    html`<p>Hello ${email}.</p><p><a href="/auth/hello">Be another</a></p>`,
  );
}

/** `next` is always a path written in this code. */
export function signInFirst(desk: Desk, request: Request, next: string): Response {
  const session = desk.sessions.find(request) ?? desk.sessions.start(undefined);
  session.next = next;
  return seeOther('/auth/hello', { 'Set-Cookie': desk.sessions.cookieOf(session) });
}

/** Undefined unless a page of ours, in this session, sent it. */
export async function readSubmission(
  desk: Desk,
  request: Request,
): Promise<Submission | undefined> {
  const form = await readForm(request);
  const session = desk.sessions.find(request);
  if (session === undefined || !isFromHere(request, desk.origin)) return undefined;
  return sameText(form.get('form_key'), session.csrf) ? { form, session } : undefined;
}

export function formKey(session: Session): Markup {
  return html`<input type="hidden" name="form_key" value="${session.csrf}">`;
}

export function strangeForm(): Response {
  return page(403, 'Please start again', html`<p>This form did not come from your session.</p>`);
}

function emailPage(desk: Desk, status: number, session: Session): Response {
  return page(
    status,
    'Who are you?',
    html`<form method="post" action="/auth/hello">${formKey(session)}
<label>Your email <input type="email" name="mailbox" required></label>
<button>Next</button></form>`,
    { 'Set-Cookie': desk.sessions.cookieOf(session) },
  );
}
