import { timingSafeEqual } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { type App, Fail } from './app.ts';
import { count, hashed, type Row, text } from './db.ts';
import { esc, hidden, show } from './layout.ts';
import { byId, codeMac, stateOf } from './registry.ts';
import { judgeCsrf, visitOf } from './visits.ts';

/** The pages of a signed-in user: the claim, and the agents that were let in. */
export function claimRouter(app: App): Router {
  const router = Router();
  router.get('/c/:token', (request, response) => showClaim(app, request, response));
  router.post('/agent/identity/claim/complete', (request, response) => {
    const visit = visitOf(app, request);
    const body: Readonly<Record<string, unknown>> = request.body ?? {};
    const token = string(body, 'claim_attempt_token');
    const scripted = request.is('json') !== false;
    if (visit?.['email'] == null) {
      if (scripted) throw new Fail(401, 'login_required', 'Nobody is signed in.');
      return response.redirect(303, `/sign-in?next=${encodeURIComponent(`/c/${token}`)}`);
    }
    judgeCsrf(app, visit, scripted ? request.get('x-csrf-token') : body['csrf']);
    const deny = body['decision'] === 'deny';
    const done = decide(app, text(visit, 'email'), token, string(body, 'user_code'), deny);
    if (scripted) response.json(done);
    else
      show(response, 200, done.status === 'claimed' ? 'Approved' : 'Denied', '<p>That is all.</p>');
  });
  router.get('/agents', (request, response) => {
    const visit = visitOf(app, request);
    if (visit?.['email'] == null) return response.redirect(303, '/sign-in?next=%2Fagents');
    listAgents(app, visit, response);
  });
  router.post('/agents', (request, response) => {
    const visit = visitOf(app, request);
    judgeCsrf(app, visit, request.body.csrf);
    const sql = 'UPDATE registration SET revoked = 1 WHERE id = ? AND claimed_by = ?';
    app.db.run(sql, string(request.body, 'id'), text(visit, 'email'));
    response.redirect(303, '/agents');
  });
  return router;
}

function string(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (value === undefined || typeof value === 'string') return value ?? '';
  throw new Fail(400, 'invalid_request', `${name} has to be a string.`);
}

interface Found {
  readonly attempt: Row;
  readonly registration: Row;
}

function find(app: App, token: string): Found {
  const attempt = app.db.row('SELECT * FROM attempt WHERE hash = ? AND current = 1', hashed(token));
  if (attempt === undefined)
    throw new Fail(404, 'invalid_claim_attempt', 'This link is unknown or replaced.');
  return { attempt, registration: byId(app, text(attempt, 'registration')) };
}

function isFor(app: App, registration: Row, email: string): boolean {
  const owner = text(registration, 'email');
  if (app.bug.is('approve-by-anybody')) return true;
  if (app.bug.is('open-to-any-mailbox')) return owner.split('@')[1] === email.split('@')[1];
  return owner === email;
}

function decide(
  app: App,
  email: string,
  token: string,
  userCode: string,
  deny: boolean,
): { readonly status: string; readonly registration_id: string } {
  const { attempt, registration } = find(app, token);
  if (!isFor(app, registration, email))
    throw new Fail(403, 'wrong_account', 'This is for another account.');
  const id = text(registration, 'id');
  const state = stateOf(app, registration);
  if (state === 'claimed' && !deny && registration['claimed_by'] === email)
    return { status: 'claimed', registration_id: id };
  if (state === 'claimed') throw new Fail(409, 'already_claimed', 'It was approved before.');
  if (state === 'lapsed') return lapsed(app, id, attempt, deny);
  if (state !== 'pending') throw new Fail(410, 'claim_expired', 'The time for it is over.');
  const code = userCode.replace(/[\s-]/g, '');
  const right = isRight(attempt, code);
  if (deny && !(app.bug.is('deny-with-code-approves') && right)) {
    app.db.run('UPDATE attempt SET denied = 1 WHERE hash = ?', text(attempt, 'hash'));
    return { status: 'denied', registration_id: id };
  }
  if (!right) throw wrong(app, id, attempt, code);
  const sql = 'UPDATE registration SET claimed_by = ?, claimed_at = ?, ver = 2 WHERE id = ?';
  app.db.run(sql, email, app.now(), id);
  return { status: 'claimed', registration_id: id };
}

function isRight(attempt: Row, code: string): boolean {
  const mac = Buffer.from(codeMac(text(attempt, 'hash'), code));
  return timingSafeEqual(mac, Buffer.from(text(attempt, 'code')));
}

function lapsed(
  app: App,
  id: string,
  attempt: Row,
  deny: boolean,
): { status: string; registration_id: string } {
  const denied = count(attempt, 'denied') === 1;
  if (denied && deny) return { status: 'denied', registration_id: id };
  if (denied || app.now() >= count(attempt, 'ends'))
    throw new Fail(410, 'claim_attempt_expired', 'This code is over. Ask your agent for another.');
  throw new Fail(429, 'too_many_attempts', 'Too many wrong codes. Ask your agent for another.');
}

function wrong(app: App, id: string, attempt: Row, code: string): Fail {
  // What can be no code is a slip, not a guess.
  if (!/^[0-9]{6}$/.test(code))
    return new Fail(400, 'invalid_user_code', 'The code has six digits.');
  app.db.run('UPDATE attempt SET wrong = wrong + 1 WHERE hash = ?', text(attempt, 'hash'));
  app.db.run('UPDATE registration SET wrong = wrong + 1 WHERE id = ?', id);
  const left = 4 - count(attempt, 'wrong');
  return new Fail(400, 'invalid_user_code', 'That is not the code.', { attempts_remaining: left });
}

function showClaim(app: App, request: Request, response: Response) {
  const visit = visitOf(app, request);
  const token = String(request.params['token']);
  if (visit?.['email'] == null)
    return response.redirect(303, `/sign-in?next=${encodeURIComponent(`/c/${token}`)}`);
  const { registration } = find(app, token);
  if (!isFor(app, registration, text(visit, 'email'))) return wrongAccount(visit, token, response);
  const state = stateOf(app, registration);
  if (state !== 'pending') {
    const title = state === 'claimed' ? 'Approved before' : 'This link is over';
    return show(response, state === 'claimed' ? 409 : 410, title, '<p>Nothing to do here.</p>');
  }
  const who = registration['iss'] === null ? 'an agent' : `an agent of ${esc(registration['iss'])}`;
  show(
    response,
    200,
    'Let an agent in?',
    `<p>Signed in: ${esc(visit['email'])}. Scopes: ${esc(registration['scopes'])}.</p>`,
    `<p>You are about to let ${who} act for you. Type the code that it shows you.</p>`,
    '<form method="post" action="/agent/identity/claim/complete">',
    hidden('csrf', visit['csrf']) + hidden('claim_attempt_token', token),
    '<label for="uc">Code</label><input id="uc" name="user_code" autocomplete="off">',
    '<button name="decision" value="approve">Approve</button>',
    '<button name="decision" value="deny">Deny</button></form>',
  );
}

function wrongAccount(visit: Row, token: string, response: Response) {
  const fields = hidden('csrf', visit['csrf']) + hidden('next', `/c/${token}`);
  show(
    response,
    403,
    'Another account',
    `<p>You are ${esc(visit['email'])}; this is for somebody else.</p>`,
    `<form method="post" action="/sign-out">${fields}<button>Sign out</button></form>`,
  );
}

function listAgents(app: App, visit: Row, response: Response) {
  const sql = 'SELECT * FROM registration WHERE claimed_by = ? AND revoked = 0';
  const items = app.db.rows(sql, text(visit, 'email')).map((row) => {
    const fields = hidden('csrf', visit['csrf']) + hidden('id', row['id']);
    const form = `<form method="post" action="/agents">${fields}<button>End</button></form>`;
    return `<li>${esc(row['id'])} (${esc(row['scopes'])}) ${form}</li>`;
  });
  const out = `<form method="post" action="/sign-out">${hidden('csrf', visit['csrf'])}<button>Sign out</button></form>`;
  show(response, 200, 'Agents that act for you', `<ul>${items.join('')}</ul>`, out);
}
