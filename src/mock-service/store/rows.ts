import type { Row, Value } from '../../mock/index.ts';
import { IDENTITY_TYPES, type IdentityType } from '../../protocol/index.ts';
import type { RegistrationFacts } from '../claim-machine/index.ts';

/** A registration as stored; the members beside the facts are who it belongs to. */
export interface StoredRegistration {
  readonly facts: RegistrationFacts;
  readonly createdAt: number;
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly idJagIssuedAt: number | undefined;
}

/** Reads a row of `registrations`. */
export function toRegistration(row: Row): StoredRegistration {
  const attemptId = optionalText(row['attempt_id']);
  const firstAt = optionalNumber(row['delivery_first_at']);
  return {
    facts: {
      id: text(row['id']),
      type: identityType(row['type']),
      needsClaim: number(row['needs_claim']) === 1,
      windowEndsAt: number(row['window_ends_at']),
      claimedAt: optionalNumber(row['claimed_at']),
      revokedAt: optionalNumber(row['revoked_at']),
      email: optionalText(row['email']),
      userId: optionalText(row['user_id']),
      version: number(row['version']),
      preClaimScopes: list(row['pre_claim_scopes']),
      postClaimScopes: list(row['post_claim_scopes']),
      resource: optionalText(row['resource']),
      wrongCodes: number(row['wrong_codes']),
      attempt:
        attemptId === undefined
          ? undefined
          : {
              id: attemptId,
              userCodeHmac: text(row['attempt_code_hmac']),
              expiresAt: number(row['attempt_expires_at']),
              interval: number(row['attempt_interval']),
              lastPollAt: optionalNumber(row['attempt_last_poll_at']),
              wrongCodes: number(row['attempt_wrong_codes']),
              deniedAt: optionalNumber(row['attempt_denied_at']),
            },
      delivery:
        firstAt === undefined
          ? undefined
          : {
              firstAt,
              assertion: {
                jti: text(row['delivery_jti']),
                issuedAt: number(row['delivery_issued_at']),
                expiresAt: number(row['delivery_expires_at']),
              },
            },
    },
    createdAt: number(row['created_at']),
    issuer: optionalText(row['issuer']),
    subject: optionalText(row['subject']),
    idJagIssuedAt: optionalNumber(row['id_jag_issued_at']),
  };
}

export function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw new TypeError('The store holds no text where one belongs.');
  return value;
}

/** PostgreSQL hands 64-bit integers over as text. */
export function number(value: Value | undefined): number {
  const result = typeof value === 'string' ? Number(value) : value;
  if (typeof result !== 'number' || !Number.isSafeInteger(result)) {
    throw new TypeError('The store holds no number where one belongs.');
  }
  return result;
}

export function optionalText(value: Value | undefined): string | undefined {
  return value === null || value === undefined ? undefined : text(value);
}

export function optionalNumber(value: Value | undefined): number | undefined {
  return value === null || value === undefined ? undefined : number(value);
}

export function list(value: Value | undefined): readonly string[] {
  return text(value).split(' ').filter(Boolean);
}

function identityType(value: Value | undefined): IdentityType {
  const type = IDENTITY_TYPES.find((known) => known === value);
  if (type === undefined) throw new TypeError('The store holds an unknown registration type.');
  return type;
}
