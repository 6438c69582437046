import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { AFTER, type App, Fail, INTERVAL, LIFETIME } from './app.ts';
import { count, hashed, type Row, secret, text } from './db.ts';

const PEPPER = randomBytes(32);
const TRIES = 5;
const TRIES_IN_ALL = 20;
const TYP = 'agent-identity+jwt';
const ACCESS_TYP = 'at+jwt';

export type State = 'revoked' | 'claimed' | 'expired' | 'pending' | 'lapsed' | 'unclaimed';

export function register(app: App, type: string, more: Row = {}): Row {
  const id = `reg_${secret('').slice(0, 24)}`;
  const windowEnd = app.now() + LIFETIME.window;
  app.db.insert('registration', { id, type, scopes: AFTER, window_end: windowEnd, ...more });
  return byId(app, id);
}

export function byId(app: App, id: string): Row {
  const row = app.db.row('SELECT * FROM registration WHERE id = ?', id);
  if (row === undefined) throw new Error('a registration is gone');
  return row;
}

export function byClaimToken(app: App, token: string): Row | undefined {
  return app.db.row('SELECT * FROM registration WHERE claim_hash = ?', hashed(token));
}

export function attemptOf(app: App, registration: Row): Row | undefined {
  const sql = 'SELECT * FROM attempt WHERE registration = ? AND current = 1';
  return app.db.row(sql, text(registration, 'id'));
}

export function stateOf(app: App, registration: Row): State {
  if (count(registration, 'revoked') === 1) return 'revoked';
  if (registration['claimed_by'] !== null) return 'claimed';
  if (app.now() >= count(registration, 'window_end')) return 'expired';
  const attempt = attemptOf(app, registration);
  if (attempt === undefined) return 'unclaimed';
  const dead = count(attempt, 'denied') === 1 || count(attempt, 'wrong') >= TRIES;
  return dead || app.now() >= count(attempt, 'ends') ? 'lapsed' : 'pending';
}

/** What an agent needs to start a claim; the token before it ends. */
export function claimMembers(app: App, registration: Row): Readonly<Record<string, unknown>> {
  const token = secret('clm_');
  const sql = 'UPDATE registration SET claim_hash = ? WHERE id = ?';
  app.db.run(sql, hashed(token), text(registration, 'id'));
  return {
    claim_url: `${app.base}/agent/identity/claim`,
    claim_token: token,
    claim_token_expires: iso(count(registration, 'window_end')),
    post_claim_scopes: text(registration, 'scopes').split(' '),
  };
}

export function openAttempt(app: App, registration: Row): Readonly<Record<string, unknown>> {
  if (count(registration, 'wrong') >= TRIES_IN_ALL)
    throw new Fail(429, 'too_many_attempts', 'Too many wrong codes. Register again.');
  const id = text(registration, 'id');
  const token = secret('cat_');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const ends = Math.min(app.now() + LIFETIME.attempt, count(registration, 'window_end'));
  app.db.run('UPDATE attempt SET current = 0 WHERE registration = ?', id);
  const mac = codeMac(hashed(token), code);
  app.db.insert('attempt', {
    hash: hashed(token),
    registration: id,
    code: mac,
    ends,
    interval: INTERVAL,
  });
  return {
    user_code: code,
    verification_uri: `${app.base}/c/${token}`,
    expires_in: Math.floor((ends - app.now()) / 1000),
    interval: INTERVAL,
  };
}

export function codeMac(attemptHash: string, code: string): string {
  return createHmac('sha256', PEPPER).update(`${attemptHash} ${code}`).digest('base64');
}

export function assertionOf(app: App, registration: Row): Readonly<Record<string, unknown>> {
  const iat = Math.floor(app.now() / 1000);
  const ver = count(registration, 'ver');
  const open = registration['claimed_by'] === null;
  const life = ver === 2 ? LIFETIME.claimed : LIFETIME.assertion;
  const exp = Math.floor(open ? count(registration, 'window_end') / 1000 : iat + life / 1000);
  const email = open ? {} : { email: registration['email'], email_verified: true };
  const sub = text(registration, 'id');
  const claims = { iss: app.base, aud: app.base, sub, jti: secret(''), iat, exp, ver, ...email };
  return { identity_assertion: app.jwts.sign(TYP, claims), assertion_expires: iso(exp * 1000) };
}

/** The registration of an assertion that is in force. */
export function ofAssertion(app: App, assertion: string): Row | undefined {
  const claims = app.jwts.ownClaims(assertion, TYP);
  const { iss, aud, sub, exp, ver } = claims ?? {};
  if (iss !== app.base || aud !== app.base || typeof sub !== 'string' || typeof exp !== 'number')
    return undefined;
  const sql = 'SELECT * FROM registration WHERE id = ? AND ver = ?';
  return app.now() < exp * 1000 ? app.db.row(sql, sub, Number(ver)) : undefined;
}

export function issue(
  app: App,
  registration: Row,
  scope: string,
): Readonly<Record<string, unknown>> & { readonly access_token: string } {
  const [sub, ends] = [text(registration, 'id'), app.now() + LIFETIME.token];
  const claims = { sub, scope, exp: ends, jti: secret('') };
  const isStateless = app.bug.is('stateless-tokens');
  const token = isStateless ? app.jwts.sign(ACCESS_TYP, claims) : secret('at_');
  app.db.insert('access', {
    hash: hashed(token),
    registration: sub,
    ver: count(registration, 'ver'),
    scope,
    ends,
  });
  return { access_token: token, token_type: 'Bearer', expires_in: LIFETIME.token / 1000, scope };
}

/** The scope and the registration of an access token that is in force. */
export function ofAccessToken(
  app: App,
  token: string,
): { readonly scope: string; readonly registration: Row } | undefined {
  if (app.bug.is('stateless-tokens')) {
    const { sub, scope, exp } = app.jwts.ownClaims(token, ACCESS_TYP) ?? {};
    if (typeof exp !== 'number' || app.now() >= exp) return undefined;
    return { scope: String(scope), registration: byId(app, String(sub)) };
  }
  const row = app.db.row('SELECT * FROM access WHERE hash = ?', hashed(token));
  if (row === undefined || app.now() >= count(row, 'ends')) return undefined;
  const registration = byId(app, text(row, 'registration'));
  const dead = ['revoked', 'expired'].includes(stateOf(app, registration));
  if (dead || count(row, 'ver') !== count(registration, 'ver')) return undefined;
  return { scope: text(row, 'scope'), registration };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}
