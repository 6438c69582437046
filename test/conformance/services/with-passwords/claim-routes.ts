import { type Context, Hono } from 'hono';
import { formOf, jsonOf, mediaType, objectOf, stringIn, utf8 } from './bodies.ts';
import { judgeCsrf, judgeOrigin } from './forms.ts';
import { csrfField, html, page } from './html.ts';
import type { Registration } from './registrations.ts';
import { type Session, same } from './sessions.ts';
import { Refusal, type Site } from './site.ts';

interface Answer {
  readonly token: string | undefined;
  readonly code: string | undefined;
  readonly deny: boolean;
  readonly csrf: string | undefined;
}

export function claimRoutes(site: Site): Hono {
  const app = new Hono();
  app.get('/claim/:token', (c) => showClaim(site, c, c.req.param('token')));
  app.post('/agent/identity/claim/complete', async (c) => {
    const script = mediaType(c) !== 'application/x-www-form-urlencoded';
    const session = site.sessions.of(c);
    const answer = script ? await fromScript(site, c) : fromForm(await formOf(c));
    const exempt = script && site.bug === 'csrf-skipped-for-other-types';
    if (!exempt) judgeOrigin(site, c);
    if (session?.account === undefined) {
      if (script) throw new Refusal(401, 'login_required', 'Nobody is signed in.');
      return toSignIn(c, answer.token ?? '');
    }
    if (!exempt) judgeCsrf(session, answer.csrf, site.bug);
    const { status, registrationId } = complete(site, session, session.account.id, answer);
    if (script)
      return c.json({ status, registration_id: registrationId }, 200, {
        'Cache-Control': 'no-store',
      });
    return page(
      c,
      200,
      status === 'claimed' ? 'Done' : 'Refused',
      html`<p>You can close this page.</p>`,
    );
  });
  if (site.bug === 'approve-by-get')
    app.get('/agent/identity/claim/complete', (c) => {
      const session = site.sessions.of(c);
      if (session?.account === undefined) return c.redirect('/signin', 303);
      const { status } = complete(site, session, session.account.id, fromForm(c.req.query()));
      return page(c, 200, status, html`<p>You can close this page.</p>`);
    });
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error;
    const wantsJson = mediaType(c) === 'application/json';
    const { status, code, message, members } = error;
    const headers = {
      'Cache-Control': 'no-store',
      ...(status === 401 ? { 'WWW-Authenticate': `AgentAuth error="${code}"` } : {}),
    };
    const body = { error: code, error_description: message, message, ...members };
    if (wantsJson) return c.json(body, status, headers);
    return page(c, status, 'That did not work', html`<p role="alert">${message}</p>`);
  });
  return app;
}

async function fromScript(site: Site, c: Context): Promise<Answer> {
  const lax = site.bug === 'csrf-skipped-for-other-types';
  const body = lax ? objectOf(await utf8(c)) : await jsonOf(c);
  return {
    token: stringIn(body, 'claim_attempt_token'),
    code: stringIn(body, 'user_code'),
    deny: stringIn(body, 'decision') === 'deny',
    csrf: c.req.header('x-csrf-token'),
  };
}

function fromForm(form: Readonly<Record<string, string>>): Answer {
  return {
    token: form['claim_attempt_token'],
    code: form['user_code'],
    deny: form['decision'] === 'deny',
    csrf: form['_csrf'],
  };
}

/** Whose claim it is, then its state, then what was decided. No await: nothing comes between. */
function complete(
  site: Site,
  session: Session,
  accountId: string,
  { token, code, deny }: Answer,
): { readonly status: 'claimed' | 'denied'; readonly registrationId: string } {
  if (token === undefined)
    throw new Refusal(400, 'invalid_request', 'claim_attempt_token is missing.');
  const registration = site.registrations.byAttempt(token);
  const attempt = registration?.attempt;
  if (registration === undefined || attempt === undefined)
    throw new Refusal(
      404,
      'invalid_claim_attempt',
      'This link is unknown, or a newer one replaced it.',
    );
  const owner = site.accounts.find(registration.email ?? '');
  if (owner?.id !== accountId && site.bug !== 'approve-by-anybody')
    throw new Refusal(403, 'wrong_account', 'This claim is meant for another account.');
  const registrationId = registration.id;
  switch (site.registrations.state(registration)) {
    case 'claimed':
      if (deny || registration.claimed?.accountId !== accountId)
        throw new Refusal(409, 'already_claimed', 'This was approved already.');
      return { status: 'claimed', registrationId };
    case 'lapsed':
      if (attempt.denied && deny) return { status: 'denied', registrationId };
      if (attempt.denied || site.now() >= attempt.endsAt)
        throw new Refusal(
          410,
          'claim_attempt_expired',
          'This link is over. Ask the agent for another.',
        );
      throw new Refusal(
        429,
        'too_many_attempts',
        'Too many wrong codes. Ask the agent for another.',
      );
    case 'pending':
      break;
    default:
      throw new Refusal(410, 'claim_expired', 'The time to approve this is over.');
  }
  if (deny) {
    attempt.denied = true;
    return { status: 'denied', registrationId };
  }
  const typed = (code ?? '').replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(typed)) throw wrongCode(undefined);
  if (!same(typed, attempt.code)) throw wrongCode(countWrong(site, session, registration));
  site.registrations.claim(registration, accountId);
  return { status: 'claimed', registrationId };
}

function countWrong(site: Site, session: Session, registration: Registration): number {
  if (site.bug === 'tries-per-session') {
    session.wrongCodes += 1;
    if (session.wrongCodes > 5)
      throw new Refusal(429, 'too_many_attempts', 'Too many wrong codes.');
    return 5 - session.wrongCodes;
  }
  const { attempt } = registration;
  return attempt === undefined ? 0 : site.registrations.countWrong(registration, attempt);
}

function wrongCode(left: number | undefined): Refusal {
  const members = left === undefined ? {} : { attempts_remaining: left };
  return new Refusal(400, 'invalid_user_code', 'That is not the code.', members);
}

function toSignIn(c: Context, token: string): Response {
  return c.redirect(`/signin?next=${encodeURIComponent(`/claim/${token}`)}`, 303);
}

function showClaim(site: Site, c: Context, token: string): Response {
  const session = site.sessions.of(c);
  if (session?.account === undefined) return toSignIn(c, token);
  const registration = site.registrations.byAttempt(token);
  if (registration === undefined)
    throw new Refusal(
      404,
      'invalid_claim_attempt',
      'This link is unknown, or a newer one replaced it.',
    );
  const owner = site.accounts.find(registration.email ?? '');
  if (owner?.id !== session.account.id && site.bug !== 'approve-by-anybody')
    return wrongAccount(c, session, registration, token);
  const state = site.registrations.state(registration);
  if (state === 'claimed')
    return page(c, 409, 'Approved already', html`<p>Nothing is left to do.</p>`);
  if (state !== 'pending')
    return page(c, 410, 'This link is over', html`<p>Ask the agent for another.</p>`);
  const asks =
    registration.subject === undefined ? 'An agent' : `An agent of ${registration.subject.iss}`;
  return page(
    c,
    200,
    'An agent asks for access',
    html`<p>You are signed in as <b>${session.account.email}</b>.</p>
<p>${asks} asks to act for you with: ${registration.scopes.join(', ')}. Only go on if you started this,
and if the code is one that your agent showed you.</p>
<form method="post" action="/agent/identity/claim/complete">${csrfField(session.csrf)}
<input type="hidden" name="claim_attempt_token" value="${token}">
<label>Code <input name="user_code" inputmode="numeric" autocomplete="one-time-code"></label>
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny" formnovalidate>Deny</button></form>`,
  );
}

function wrongAccount(
  c: Context,
  session: Session,
  registration: Registration,
  token: string,
): Response {
  const [name = '', host = ''] = (registration.email ?? '').split('@');
  return page(
    c,
    403,
    'Meant for another account',
    html`<p>You are ${session.account?.email ?? ''}. This is for ${name.slice(0, 1)}…@${host}.</p>
<form method="post" action="/signout">${csrfField(session.csrf)}
<input type="hidden" name="next" value="/claim/${token}"><button>Sign out</button></form>`,
  );
}
