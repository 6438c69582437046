import { REVOKED_EVENT_ENDING } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { toMilliseconds } from '../../protocol/jwt.ts';
import {
  type SecurityEventClaims,
  securityEventClaims,
} from '../../protocol/schemas/assertions.ts';
import { isShortText } from '../../protocol/text.ts';
import type { ServiceConfig } from '../config/config.ts';

/** A security event whose issuer and signature are verified. */
export interface ArrivedEvent<Claims = JsonObject> {
  readonly claims: Claims;
  readonly config: ServiceConfig;
  /** In ms. */
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
