import { AFTER, type App, address, Fail } from './app.ts';
import { count, type Row, text } from './db.ts';
import { byId, register, stateOf } from './registry.ts';

const SKEW = 60;
const HOUR = 3600;

type Claims = Readonly<Record<string, unknown>>;

interface IdJag {
  readonly iss: string;
  readonly sub: string;
  readonly tenant: string;
  readonly jti: string;
  readonly iat: number;
  readonly email: string;
  readonly scopes: string;
}

/** The registration that it stands for; not `confirmed` while the owner of the email has to be asked. */
export async function acceptIdJag(
  app: App,
  assertion: string,
): Promise<{ readonly row: Row; readonly confirmed: boolean }> {
  const { iss, claims } = await app.jwts.foreignClaims(assertion, 'oauth-id-jag+jwt');
  const jag = judge(app, iss, claims);
  const cutoff = app.db.row('SELECT at FROM cutoff WHERE iss = ? AND sub = ?', iss, jag.sub);
  if (cutoff !== undefined && jag.iat <= count(cutoff, 'at'))
    throw new Fail(400, 'expired', 'The provider has revoked this.');
  const once = app.db.run("INSERT OR IGNORE INTO seen VALUES ('id-jag', ?, ?)", iss, jag.jti);
  if (once === 0) throw new Fail(400, 'replay_detected', 'This was sent before.');
  const found = living(app, jag);
  const delegated =
    found !== undefined && (found['claimed_by'] !== null || app.bug.is('pending-is-delegation'));
  const row =
    found ?? register(app, 'identity_assertion', { iss, sub: jag.sub, tenant: jag.tenant });
  const id = text(row, 'id');
  const newest = Math.max(jag.iat, count(row, 'jag_iat'));
  app.db.run('UPDATE registration SET jag_iat = ? WHERE id = ?', newest, id);
  if (newest === jag.iat)
    app.db.run('UPDATE registration SET scopes = ? WHERE id = ?', jag.scopes, id);
  if (delegated) {
    confirm(app, id, text(row, 'email'));
    return { row: byId(app, id), confirmed: true };
  }
  app.db.run('UPDATE registration SET email = ? WHERE id = ?', jag.email, id);
  const account = app.db.row('SELECT email FROM account WHERE email = ?', jag.email);
  if (account !== undefined) return { row: byId(app, id), confirmed: false };
  app.db.insert('account', { email: jag.email });
  confirm(app, id, jag.email);
  return { row: byId(app, id), confirmed: true };
}

function confirm(app: App, id: string, email: string): void {
  const sql =
    'UPDATE registration SET claimed_by = ?, claimed_at = ? WHERE id = ? AND claimed_by IS NULL';
  app.db.run(sql, email, app.now(), id);
}

function living(app: App, { iss, sub, tenant }: IdJag): Row | undefined {
  const sql = 'SELECT * FROM registration WHERE iss = ? AND sub = ? AND tenant = ? AND revoked = 0';
  return app.db.rows(sql, iss, sub, tenant).find((row) => stateOf(app, row) !== 'expired');
}

function judge(app: App, iss: string, claims: Claims): IdJag {
  const now = app.now() / 1000;
  const { aud, resource, client_id: client, auth_time: signedIn } = claims;
  const sub = words(claims, 'sub');
  const jti = words(claims, 'jti');
  const tenant = claims['tenant'] === undefined ? '' : words(claims, 'tenant');
  const iat = seconds(claims, 'iat');
  const exp = seconds(claims, 'exp');
  const sole: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (sole !== app.base) throw new Fail(400, 'invalid_audience', 'It is for somebody else.');
  if (resource !== undefined && resource !== app.base && resource !== `${app.base}/api/resource`)
    throw new Fail(400, 'invalid_audience', 'That resource is not ours.');
  if (now >= exp + SKEW) throw new Fail(400, 'expired', 'It has expired.');
  const notYet =
    iat > now + SKEW || (claims['nbf'] !== undefined && seconds(claims, 'nbf') > now + SKEW);
  if (notYet || exp <= iat || exp - iat > HOUR)
    throw new Fail(400, 'invalid_request', 'It is not valid yet, or for too long.');
  if (client !== iss && client !== `${iss}/agent-auth.json`)
    throw new Fail(400, 'invalid_client_id', 'That client is not of the issuer.');
  const email = claims['email_verified'] === true ? address(claims['email']) : undefined;
  if (email === undefined)
    throw new Fail(400, 'missing_verified_email', 'A verified email is missing.');
  const scopes = granted(claims['scope']);
  const fresh = typeof signedIn === 'number' && signedIn <= now + SKEW && now - signedIn <= HOUR;
  if (!fresh)
    throw new Fail(401, 'login_required', 'Sign in at the provider again.', { max_age: HOUR });
  return { iss, sub, tenant, jti, iat, email, scopes };
}

export function words(claims: Claims, name: string): string {
  const value = claims[name];
  const good = typeof value === 'string' && value !== '' && value.length <= 512;
  if (good && value.isWellFormed() && !value.includes('\u0000')) return value;
  throw new Fail(400, 'invalid_request', `The claim ${name} is missing or wrong.`);
}

export function seconds(claims: Claims, name: string): number {
  const value = claims[name];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Fail(400, 'invalid_request', `The claim ${name} is missing or wrong.`);
}

function granted(scope: unknown): string {
  if (scope === undefined) return AFTER;
  const asked = typeof scope === 'string' ? scope.split(' ') : [];
  const both = AFTER.split(' ').filter((known) => asked.includes(known));
  if (both.length === 0) throw new Fail(400, 'invalid_request', 'No scope of these is known.');
  return both.join(' ');
}
