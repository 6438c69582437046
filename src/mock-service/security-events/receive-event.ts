import { type BodyReader, type Context, readText } from '../../mock/http/request.ts';
import { empty, type WireProblem, wireProblem } from '../../mock/http/response.ts';
import type { CodeAt } from '../../protocol/codes.ts';
import { JWT_TYPE, MEDIA_TYPE } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { MAX_TEXT_BYTES } from '../../protocol/text.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { EventStore, SubjectEvent } from '../store/event-store.ts';
import type { JwtVerifier } from '../trust/jwt-verifier.ts';
import { type JwtProblem, unavailableText, verifyProviderJwt } from '../trust/jwt-verifier.ts';
import type { EventRefusal, EventRules } from './event-checks.ts';

/** What security events are received with. */
interface EventParts {
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly decisions: EventRules;
  readonly events: EventStore;
  readonly reader: BodyReader;
  readonly verifier: JwtVerifier;
}

const CODE_OF: Readonly<Record<JwtProblem, CodeAt<'events'>>> = {
  not_a_jwt: 'invalid_request',
  wrong_type: 'invalid_request',
  bad_header: 'invalid_key',
  unknown_issuer: 'invalid_issuer',
  no_key: 'invalid_key',
  bad_signature: 'authentication_failed',
  keys_unavailable: 'temporarily_unavailable',
};

/** `POST /agent/event/notify`: a pushed security event (RFC 8935 §2, wire contract §7). */
export async function receiveEvent(service: EventParts, c: Context): Promise<Response> {
  const token = await readText(service.reader, c, MEDIA_TYPE.securityEvent);
  const verified = await verifyProviderJwt(token.trim(), JWT_TYPE.securityEvent, service.verifier);
  if (!verified.ok) {
    const { problem, url } = verified;
    throw refused({
      code: CODE_OF[problem],
      ...(url !== undefined && { description: unavailableText(url) }),
    });
  }
  await service.events.receive(judge(verified.claims, service));
  // Stored before it is answered (RFC 8935 §2.2); a repeated event gets the same answer.
  return empty(202);
}

/**
 * What is stored of an event.
 * @throws WireProblem for one that is refused.
 */
function judge(claims: JsonObject, { clock, config, decisions }: EventParts): SubjectEvent {
  const arrived = { claims, config, now: clock.now() };
  const read = decisions.readEventClaims(arrived);
  if (!read.ok) {
    const problem = read.isTooLong
      ? `is longer than ${MAX_TEXT_BYTES} bytes`
      : 'is missing or has the wrong type';
    const description = `The claim ${read.member} ${problem}.`;
    throw refused({ code: 'invalid_request', description });
  }
  const event = { ...arrived, claims: read.claims };
  const facts = {
    ...event,
    revokes: decisions.eventRevokes(event),
    subject: decisions.eventSubject(event),
  };
  for (const { check } of decisions.eventChecks) {
    const refusal = check(facts);
    if (refusal !== undefined) throw refused(refusal);
  }
  const { iss, jti } = read.claims;
  const { issuer, subject } = facts.subject;
  const revokes = facts.revokes && issuer !== undefined && subject !== undefined;
  const upTo = decisions.eventTime(event);
  return { issuer: iss, jti, revokes: revokes ? { issuer, subject, upTo } : undefined };
}

function refused({ code, description }: EventRefusal): WireProblem {
  return wireProblem('events', code, {
    ...(description !== undefined && { description }),
    ...(code === 'temporarily_unavailable' && { headers: { 'retry-after': '5' } }),
  });
}
