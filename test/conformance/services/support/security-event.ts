import { Distrust, type KeySets } from './key-sets.ts';
import { Problem } from './problem.ts';
import { isObject, readText } from './read-body.ts';

/** What a Security Event Token says (RFC 8417). */
export interface SecurityEvent {
  readonly iss: string;
  readonly jti: string;
  readonly iat: number;
  readonly events: Readonly<Record<string, unknown>>;
  /** Of the signer's own users. Absent where it names none, or a user of another issuer. */
  readonly sub?: string;
}

/** RFC 8935 §2: one SET as the content. Refusals carry the codes of §2.4. */
export async function readSecurityEvent(
  request: Request,
  keys: KeySets,
  audience: string,
): Promise<SecurityEvent> {
  const token = await readText(request, 'application/secevent+jwt');
  const claims = await keys.open(token.trim(), 'secevent+jwt').catch((error: unknown) => {
    throw problemOf(error);
  });
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (!audiences.includes(audience)) {
    throw new Problem(400, 'invalid_audience', 'The event is for another audience.');
  }
  const { jti, iat, events } = Object.fromEntries(Object.entries(claims));
  if (typeof jti !== 'string' || jti === '' || typeof iat !== 'number') {
    throw new Problem(400, 'invalid_request', 'jti or iat is missing.');
  }
  if (!isObject(events) || Object.keys(events).length === 0) {
    throw new Problem(400, 'invalid_request', 'events is missing.');
  }
  const sub = subjectOf(claims, events, claims.iss);
  return { iss: claims.iss, jti, iat, events, ...(sub === undefined ? {} : { sub }) };
}

/** RFC 9493 §3.2.4 (`iss_sub`), beside the events or in one, or the plain `sub` of the issuer. */
function subjectOf(
  claims: Readonly<Record<string, unknown>>,
  events: Readonly<Record<string, unknown>>,
  iss: string,
): string | undefined {
  const id = claims['sub_id'] ?? Object.values(events).find(isObject)?.['subject'];
  if (!isObject(id)) return typeof claims['sub'] === 'string' ? claims['sub'] : undefined;
  const mine = id['format'] === 'iss_sub' && id['iss'] === iss;
  return mine && typeof id['sub'] === 'string' ? id['sub'] : undefined;
}

function problemOf(error: unknown): Problem {
  const kind = error instanceof Distrust ? error.kind : 'malformed';
  if (kind === 'unavailable') return new Problem(503, 'invalid_key', 'The keys are out of reach.');
  if (kind === 'issuer') return new Problem(400, 'invalid_issuer', 'The issuer is not trusted.');
  if (kind === 'signature') {
    return new Problem(400, 'invalid_key', 'No key of the issuer fits the signature.');
  }
  return new Problem(400, 'invalid_request', 'This is not a Security Event Token.');
}
