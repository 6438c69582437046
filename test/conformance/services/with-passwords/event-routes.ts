import { Hono } from 'hono';
import { mediaType, utf8 } from './bodies.ts';
import type { IdJagDesk } from './id-jags.ts';
import type { Signed } from './providers.ts';
import { Refusal, type Site } from './site.ts';

const REVOKED = '/identity/assertion/revoked';
const SKEW = 60;

/** RFC 8935 §2. */
export function eventRoutes(site: Site, desk: IdJagDesk): Hono {
  const app = new Hono();
  const seen = new Set<string>();
  app.post('/agent/event/notify', async (c) => {
    if (mediaType(c) !== 'application/secevent+jwt')
      throw new Refusal(415, 'invalid_request', 'Send application/secevent+jwt.');
    const signed = await site.providers.verify((await utf8(c)).trim(), 'secevent+jwt');
    const { iat, jti, effect } = read(site, signed);
    const key = JSON.stringify([signed.issuer, jti]);
    if (effect !== undefined && !seen.has(key)) {
      const toe = signed.claims['toe'];
      const at = typeof toe === 'number' ? toe : iat;
      desk.revoke(signed.issuer, effect, Math.min(at, site.now() / 1000 + SKEW));
    }
    seen.add(key);
    return c.body(null, 202);
  });
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error;
    const err = error.code === 'invalid_signature' ? 'authentication_failed' : error.code;
    const headers = {
      'Content-Language': 'en',
      'Cache-Control': 'no-store',
      ...(error.status === 503 ? { 'Retry-After': '5' } : {}),
    };
    return c.json({ err, description: error.message }, error.status, headers);
  });
  return app;
}

interface SecurityEvent {
  readonly iat: number;
  readonly jti: string;
  /** The subject to revoke, where it is that event. */
  readonly effect?: string;
}

function read(site: Site, { issuer, claims }: Signed): SecurityEvent {
  const { iat, jti, aud, events, exp } = claims;
  if (
    typeof iat !== 'number' ||
    typeof jti !== 'string' ||
    jti === '' ||
    Buffer.byteLength(jti) > 512
  )
    throw invalid('iat or jti is missing.');
  if (typeof events !== 'object' || events === null || Array.isArray(events))
    throw invalid('events is missing.');
  const names = Object.keys(events);
  if (names.length === 0) throw invalid('events is empty.');
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(site.base))
    throw new Refusal(400, 'invalid_audience', 'The event is meant for somebody else.');
  const now = site.now() / 1000;
  if (iat > now + SKEW) throw invalid('iat is in the future.');
  if (exp !== undefined && (typeof exp !== 'number' || now >= exp + SKEW))
    throw invalid('The event has expired.');
  if (!names.some((name) => name.endsWith(REVOKED))) return { iat, jti };
  return { iat, jti, effect: subjectOf(issuer, claims) };
}

function subjectOf(issuer: string, claims: Readonly<Record<string, unknown>>): string {
  const { sub, sub_id: id } = claims;
  if (id === undefined) {
    if (typeof sub !== 'string' || sub === '') throw invalid('The event names no subject.');
    return sub;
  }
  if (typeof id !== 'object' || id === null) throw invalid('sub_id is no object.');
  const named = id as Readonly<Record<string, unknown>>;
  if (named['format'] !== 'iss_sub' || typeof named['sub'] !== 'string' || named['sub'] === '')
    throw invalid('Only sub_id of the format iss_sub is understood.');
  if (named['iss'] !== issuer)
    throw new Refusal(400, 'access_denied', 'A provider speaks for its own subjects.');
  if (sub !== undefined && sub !== named['sub']) throw invalid('sub and sub_id differ.');
  return named['sub'];
}

function invalid(text: string): Refusal {
  return new Refusal(400, 'invalid_request', text);
}
