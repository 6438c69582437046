import type { Context } from 'hono';
import { empty, type Faults, type WireProblem, wireProblem } from '../../mock/index.ts';
import {
  type CodeAt,
  isStorableText,
  JWT_TYPE,
  REVOKED_EVENT_ENDING,
  revokedEventType,
  type SecurityEventClaims,
  securityEventClaims,
  toMilliseconds,
} from '../../protocol/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import type { ServiceContext } from '../service-context.ts';
import type { SubjectEvent } from '../store/index.ts';
import { type JwtProblem, verifyProviderJwt } from '../trust/index.ts';
import {
  isMistakenForEvent,
  readEvent,
  refusesRightEvent,
  withDefaults,
} from './careless-events.ts';

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
  const token = await readEvent(service, c);
  if (await isMistakenForEvent(service, token)) return empty(202);
  const verified = await verifyProviderJwt(token.trim(), JWT_TYPE.securityEvent, verifier);
  if (!verified.ok) throw refuse(CODE_OF[verified.problem]);

  const parsed = securityEventClaims.safeParse(
    faults.has('eventClaimsOptional')
      ? withDefaults(verified.claims, clock.now())
      : verified.claims,
  );
  if (!parsed.success) {
    const member = String(parsed.error.issues[0]?.path[0]);
    throw refuse('invalid_request', `The claim ${member} is missing or has the wrong type.`);
  }
  const claims = parsed.data;
  const audiences = faults.has('eventAudienceAlone') ? [claims.aud] : [claims.aud].flat();
  if (!audiences.includes(config.issuer) && !faults.has('eventAudienceUnchecked')) {
    throw refuse('invalid_audience');
  }
  if (refusesRightEvent(verified.claims, service)) throw refuse('invalid_request');
  if (toMilliseconds(claims.iat) > clock.now() + config.lifetimes.clockSkew) {
    throw refuse('invalid_request', 'The claim iat lies in the future.');
  }
  const event = toSubjectEvent(claims, clock.now(), service);
  if (!faults.has('eventIgnored')) {
    const received = await events.receive(event);
    if (received === 'repeated' && faults.has('repeatedEventRefused')) {
      throw refuse('invalid_request');
    }
  }
  // Stored first, answered then (RFC 8935 §2.2); a repeated event gets the same answer.
  return empty(202);
}

function toSubjectEvent(
  claims: SecurityEventClaims,
  now: number,
  { config, faults }: ServiceContext,
): SubjectEvent {
  const { jti } = claims;
  const types = Object.keys(claims.events);
  if (types.length === 0) throw refuse('invalid_request', 'The event names no event type.');
  const ending = faults.has('otherVendorIgnored')
    ? revokedEventType(config.eventBase)
    : REVOKED_EVENT_ENDING;
  const revokes = types.some((type) => type.endsWith(ending)) || faults.has('everyEventRevokes');
  // What is not acted on is not judged further (SSF §4.2).
  if (!revokes) return { issuer: claims.iss, jti, revokes: undefined };
  const { issuer, subject } = subjectOf(claims, faults);
  if (subject === undefined) {
    if (faults.has('subjectOptional')) return { issuer, jti, revokes: undefined };
    throw refuse('invalid_request', 'The event names no subject.');
  }
  // No event speaks of a later instant.
  const told = faults.has('eventToeIgnored') ? claims.iat : (claims.toe ?? claims.iat);
  const upTo = Math.min(toMilliseconds(told), now + config.lifetimes.clockSkew);
  return { issuer, jti, revokes: { subject, upTo: faults.has('eventTimeIgnored') ? now : upTo } };
}

interface EventSubject {
  readonly issuer: string;
  readonly subject: string | undefined;
}

/** `sub`, or a `sub_id` of the format `iss_sub` (RFC 9493 §3.2.3); both must name the same. */
function subjectOf(
  { iss, sub, sub_id: subId }: SecurityEventClaims,
  faults: Faults<ServiceFault>,
): EventSubject {
  if (subId === undefined || faults.has('subIdIgnored')) return { issuer: iss, subject: sub };
  const { format, iss: subIssuer, sub: idSubject } = subId;
  if (faults.has('subIdFormatUnchecked')) {
    return { issuer: iss, subject: sub ?? String(idSubject ?? subId['id'] ?? subId['email']) };
  }
  if (typeof format === 'string' && format !== 'iss_sub' && faults.has('otherFormatsIgnored')) {
    return { issuer: iss, subject: '' };
  }
  if (
    format !== 'iss_sub' ||
    typeof subIssuer !== 'string' ||
    typeof idSubject !== 'string' ||
    !isStorableText(idSubject)
  ) {
    throw refuse('invalid_request', 'sub_id must have the format iss_sub.');
  }
  if (faults.has('subIdOfAnyIssuer')) return { issuer: subIssuer, subject: idSubject };
  if (subIssuer !== iss) {
    throw refuse(faults.has('foreignSubjectMiscalled') ? 'invalid_request' : 'access_denied');
  }
  const differs = sub !== undefined && sub !== idSubject && !faults.has('subIdWins');
  if (differs || (sub !== undefined && faults.has('twoSubjectsRefused'))) {
    throw refuse('invalid_request', 'sub and sub_id name different subjects.');
  }
  return { issuer: iss, subject: idSubject };
}

function refuse(code: CodeAt<'events'>, description?: string): WireProblem {
  return wireProblem('events', code, {
    ...(description !== undefined && { description }),
    ...(code === 'temporarily_unavailable' && { headers: { 'retry-after': '5' } }),
  });
}
