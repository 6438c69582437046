import { type App, Fail } from './app.ts';
import { seconds, words } from './id-jag.ts';

type Members = Readonly<Record<string, unknown>>;

/** A Security Event Token, pushed (RFC 8935): only the revocation of an assertion has an effect. */
export async function takeEvent(app: App, compact: string): Promise<void> {
  const { iss, claims } = await app.jwts.foreignClaims(compact.trim(), 'secevent+jwt');
  const { aud, events, toe } = claims;
  const [jti, iat] = [words(claims, 'jti'), seconds(claims, 'iat')];
  const now = app.now() / 1000;
  if (
    typeof events !== 'object' ||
    events === null ||
    Array.isArray(events) ||
    Object.keys(events).length === 0
  )
    throw new Fail(400, 'invalid_request', 'events is missing.');
  if (!(Array.isArray(aud) ? aud : [aud]).includes(app.base))
    throw new Fail(400, 'invalid_audience', 'It is for somebody else.');
  if (iat > now + 60) throw new Fail(400, 'invalid_request', 'iat lies ahead.');
  if (claims['exp'] !== undefined && now >= seconds(claims, 'exp') + 60)
    throw new Fail(400, 'invalid_request', 'It has expired.');
  const revokes = Object.keys(events).some((name) => name.endsWith('/identity/assertion/revoked'));
  const sub = revokes ? subjectOf(iss, claims) : undefined;
  const once = app.db.run("INSERT OR IGNORE INTO seen VALUES ('event', ?, ?)", iss, jti);
  if (once === 0 || sub === undefined) return;
  const upTo = Math.min(typeof toe === 'number' ? toe : iat, now + 60);
  app.db.run(
    'INSERT INTO cutoff VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
    iss,
    sub,
    upTo,
  );
  const end = 'UPDATE registration SET revoked = 1 WHERE iss = ? AND sub = ? AND jag_iat <= ?';
  app.db.run(end, iss, sub, upTo);
}

function subjectOf(iss: string, claims: Members): string {
  const id = claims['sub_id'];
  if (id === undefined) return words(claims, 'sub');
  if (typeof id !== 'object' || id === null)
    throw new Fail(400, 'invalid_request', 'sub_id is no object.');
  const named: Members = { ...id };
  if (named['format'] !== 'iss_sub')
    throw new Fail(400, 'invalid_request', 'Only iss_sub is understood.');
  const sub = words(named, 'sub');
  if (named['iss'] !== iss)
    throw new Fail(400, 'access_denied', 'That subject belongs to another issuer.');
  if (claims['sub'] !== undefined && claims['sub'] !== sub)
    throw new Fail(400, 'invalid_request', 'sub and sub_id differ.');
  return sub;
}
