import type { CodeAt } from '../../protocol/codes.ts';
import { REVOKED_EVENT_ENDING } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { toMilliseconds } from '../../protocol/jwt.ts';
import {
  type SecurityEventClaims,
  securityEventClaims,
} from '../../protocol/schemas/assertions.ts';
import { isShortText, isStorableText } from '../../protocol/text.ts';
import type { ServiceConfig } from '../config/config.ts';

/** What the checks of an event look at. */
interface EventFacts extends ReadEvent {
  readonly revokes: boolean;
  readonly subject: EventSubject;
}

export interface EventRefusal {
  readonly code: CodeAt<'events'>;
  readonly description?: string;
}

export interface EventCheck {
  readonly name: string;
  readonly description: string;
  /** `undefined`: it is right. */
  check(facts: EventFacts): EventRefusal | undefined;
}

const invalid = (description: string): EventRefusal => ({ code: 'invalid_request', description });

/** Events that are not acted on need no further check (SSF §4.2). */
const ofRevocations =
  (check: EventCheck['check']): EventCheck['check'] =>
  (facts) =>
    facts.revokes ? check(facts) : undefined;

/** The checks in the order of wire contract §7, once the signature is verified and the claims are well-formed. */
export const EVENT_CHECKS: readonly EventCheck[] = [
  {
    name: 'audience',
    description: '`aud` is the issuer of this service, or an array that contains it.',
    check: ({ claims, config }) =>
      [claims.aud].flat().includes(config.issuer) ? undefined : { code: 'invalid_audience' },
  },
  {
    name: 'issued',
    description: '`iat` does not lie in the future.',
    check: ({ claims, config, now }) =>
      toMilliseconds(claims.iat) > now + config.lifetimes.clockSkew
        ? invalid('The claim iat lies in the future.')
        : undefined,
  },
  {
    name: 'event-type',
    description: '`events` names at least one type, known or not.',
    check: ({ claims }) =>
      Object.keys(claims.events).length === 0
        ? invalid('The event names no event type.')
        : undefined,
  },
  {
    name: 'subject-format',
    description: 'The `sub_id` of a revocation has the format `iss_sub` (RFC 9493 §3.2.3).',
    check: ofRevocations(({ claims, subject: { issuer, subject } }) =>
      claims.sub_id === undefined ||
      (claims.sub_id['format'] === 'iss_sub' &&
        issuer !== undefined &&
        subject !== undefined &&
        isStorableText(subject))
        ? undefined
        : invalid('sub_id must have the format iss_sub.'),
    ),
  },
  {
    name: 'subject-issuer',
    description: 'The subject of a revocation belongs to its issuer (attack A-27).',
    check: ofRevocations(({ claims, subject }) =>
      subject.issuer === claims.iss ? undefined : { code: 'access_denied' },
    ),
  },
  {
    name: 'one-subject',
    description: '`sub` and `sub_id` of a revocation name the same subject.',
    check: ofRevocations(({ claims: { sub }, subject: { subject } }) =>
      sub === undefined || sub === subject
        ? undefined
        : invalid('sub and sub_id name different subjects.'),
    ),
  },
  {
    name: 'subject',
    description: 'A revocation names a subject.',
    check: ofRevocations(({ subject: { subject } }) =>
      subject === undefined ? invalid('The event names no subject.') : undefined,
    ),
  },
];

/** The rules for security events (wire contract §7): how each is read, and the checks in their order. */
export interface EventRules {
  /** Reads the claims of an event that has arrived. */
  readonly readEventClaims: (arrived: ArrivedEvent) => EventClaimsResult;
  /** Whether an event ends an identity assertion. */
  readonly eventRevokes: (event: ReadEvent) => boolean;
  /** Whom an event is about. */
  readonly eventSubject: (event: ReadEvent) => EventSubject;
  /** When it happened, in milliseconds. */
  readonly eventTime: (event: ReadEvent) => number;
  readonly eventChecks: readonly EventCheck[];
}

export const EVENT_RULES: EventRules = {
  readEventClaims,
  eventRevokes,
  eventSubject,
  eventTime,
  eventChecks: EVENT_CHECKS,
};

/** A security event whose issuer and signature are verified. */
export interface ArrivedEvent<Claims = JsonObject> {
  readonly claims: Claims;
  readonly config: ServiceConfig;
  /** The time, in milliseconds. */
  readonly now: number;
}

export type ReadEvent = ArrivedEvent<SecurityEventClaims & JsonObject>;

export type EventClaimsResult =
  | { readonly ok: true; readonly claims: ReadEvent['claims'] }
  | {
      readonly ok: false;
      readonly member: string;
      /** The member is there, but too long to be stored. */
      readonly isTooLong?: true;
    };

/** Whom an event is about (RFC 9493 §3.2.3). A part that is missing or not text is `undefined`. */
export interface EventSubject {
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
}

/** The claims, if the required ones are present, of the right type, and short enough to be stored. Others are kept as they are. */
export function readEventClaims({ claims }: ArrivedEvent): EventClaimsResult {
  const parsed = securityEventClaims.safeParse(claims);
  if (!parsed.success) return { ok: false, member: String(parsed.error.issues[0]?.path[0]) };
  const { jti, sub, sub_id } = parsed.data;
  const texts = { jti: [jti], sub: [sub], sub_id: Object.values(sub_id ?? {}) };
  const isLong = (value: unknown) => typeof value === 'string' && !isShortText(value);
  const long = Object.entries(texts).find(([, values]) => values.some(isLong));
  if (long !== undefined) return { ok: false, member: long[0], isTooLong: true };
  return { ok: true, claims: { ...claims, ...parsed.data } };
}

/** Whether it revokes: by the ending of its event type, whatever the base (wire contract §1). */
export function eventRevokes({ claims }: ReadEvent): boolean {
  return Object.keys(claims.events).some((type) => type.endsWith(REVOKED_EVENT_ENDING));
}

/** `sub_id`, else `sub` of the event's own issuer. */
export function eventSubject({ claims }: ReadEvent): EventSubject {
  const { iss, sub, sub_id: subId } = claims;
  if (subId === undefined) return { issuer: iss, subject: sub };
  return { issuer: textOf(subId['iss']), subject: textOf(subId['sub']) };
}

/** Up to when it revokes, in ms; never later than now and the clock skew. */
export function eventTime({ claims, config, now }: ReadEvent): number {
  const { iat, toe = iat } = claims;
  return Math.min(toMilliseconds(toe), now + config.lifetimes.clockSkew);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
