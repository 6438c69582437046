import { JWT_TYPE, SECOND } from '../../protocol/index.ts';
import type { JwtContent } from '../id-token/jwt-content.ts';
import type { OutboxEntry } from './outbox-entry.ts';

export interface SecurityEvent {
  readonly issuer: string;
  readonly entry: OutboxEntry;
  /** As the service lists it. */
  readonly eventType: string;
  /** In milliseconds. */
  readonly now: number;
}

/**
 * What a security event token says (RFC 8417 §2.2, wire contract §7). The subject is named twice:
 * `sub` for the profile, `sub_id` for RFC 9493.
 */
export function securityEventOf({ entry, eventType, issuer, now }: SecurityEvent): JwtContent {
  const { audience, id, revokedAt, subject } = entry;
  return {
    typ: JWT_TYPE.securityEvent,
    claims: {
      iss: issuer,
      iat: Math.floor(now / SECOND),
      jti: id,
      aud: audience,
      toe: Math.floor(revokedAt / SECOND),
      sub: subject,
      sub_id: { format: 'iss_sub', iss: issuer, sub: subject },
      events: { [eventType]: {} },
    },
  };
}
