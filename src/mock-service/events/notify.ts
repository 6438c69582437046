import type { Context } from 'hono';
import { empty, readText, type WireProblem, wireProblem } from '../../mock/index.ts';
import {
  type CodeAt,
  isStorableText,
  JWT_TYPE,
  MEDIA_TYPE,
  REVOKED_EVENT_ENDING,
  type SecurityEventClaims,
  securityEventClaims,
  toMilliseconds,
} from '../../protocol/index.ts';
import type { ServiceContext } from '../service-context.ts';
import type { SubjectEvent } from '../store/index.ts';
import { type JwtProblem, verifyProviderJwt } from '../trust/index.ts';

const CODE_OF: Readonly<Record<JwtProblem, CodeAt<'events'>>> = {
  not_a_jwt: 'invalid_request',
  wrong_type: 'invalid_request',
  bad_header: 'invalid_key',
  unknown_issuer: 'invalid_issuer',
  no_key: 'invalid_key',
  bad_signature: 'authentication_failed',
  keys_unavailable: 'temporarily_unavailable',
};

/** `POST /agent/event/notify`: a pushed security event (RFC 8935 §2, wire.md §7). */
export async function notify(service: ServiceContext, c: Context): Promise<Response> {
  const { clock, config, events, faults, verifier } = service;
  const token = await readText(c, MEDIA_TYPE.securityEvent);
  const verified = await verifyProviderJwt(token.trim(), JWT_TYPE.securityEvent, verifier);
  if (!verified.ok) throw refuse(CODE_OF[verified.problem]);

  const parsed = securityEventClaims.safeParse(verified.claims);
  if (!parsed.success) {
    const member = String(parsed.error.issues[0]?.path[0]);
    throw refuse('invalid_request', `The claim ${member} is missing or has the wrong type.`);
  }
  const claims = parsed.data;
  if (![claims.aud].flat().includes(config.issuer)) throw refuse('invalid_audience');
  if (toMilliseconds(claims.iat) > clock.now() + config.lifetimes.clockSkew) {
    throw refuse('invalid_request', 'The claim iat lies in the future.');
  }
  const event = toSubjectEvent(claims, clock.now() + config.lifetimes.clockSkew);
  if (!faults.has('eventIgnored')) await events.receive(event);
  // Stored first, answered then (RFC 8935 §2.2); a repeated event gets the same answer.
  return empty(202);
}

/** `latest`: no event speaks of a later instant, in ms. */
function toSubjectEvent(claims: SecurityEventClaims, latest: number): SubjectEvent {
  const { iss: issuer, jti } = claims;
  const types = Object.keys(claims.events);
  if (types.length === 0) throw refuse('invalid_request', 'The event names no event type.');
  const revokes = types.some((type) => type.endsWith(REVOKED_EVENT_ENDING));
  // What is not acted on is not judged further (SSF §4.2).
  if (!revokes) return { issuer, jti, revokes: undefined };
  const subject = subjectOf(claims);
  if (subject === undefined) throw refuse('invalid_request', 'The event names no subject.');
  const upTo = Math.min(toMilliseconds(claims.toe ?? claims.iat), latest);
  return { issuer, jti, revokes: { subject, upTo } };
}

/** `sub`, or a `sub_id` of the format `iss_sub` (RFC 9493 §3.2.3); both must name the same. */
function subjectOf({ iss, sub, sub_id: subId }: SecurityEventClaims): string | undefined {
  if (subId === undefined) return sub;
  const { format, iss: subIssuer, sub: idSubject } = subId;
  if (
    format !== 'iss_sub' ||
    typeof subIssuer !== 'string' ||
    typeof idSubject !== 'string' ||
    !isStorableText(idSubject)
  ) {
    throw refuse('invalid_request', 'sub_id must have the format iss_sub.');
  }
  if (subIssuer !== iss) throw refuse('access_denied');
  if (sub !== undefined && sub !== idSubject) {
    throw refuse('invalid_request', 'sub and sub_id name different subjects.');
  }
  return idSubject;
}

function refuse(code: CodeAt<'events'>, description?: string): WireProblem {
  return wireProblem('events', code, {
    ...(description !== undefined && { description }),
    ...(code === 'temporarily_unavailable' && { headers: { 'retry-after': '5' } }),
  });
}
