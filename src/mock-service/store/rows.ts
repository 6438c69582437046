import { column } from '../../mock/store/column.ts';
import type { Row, Value } from '../../mock/store/database.ts';
import { IDENTITY_TYPES, type IdentityType } from '../../protocol/constants.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';

/** A registration as stored; the members beside the facts are who it belongs to. */
export interface StoredRegistration {
  readonly facts: RegistrationFacts;
  readonly createdAt: number;
  /** What the agent calls itself: its own words, not made safe for a page. */
  readonly agentName: string | undefined;
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly idJagIssuedAt: number | undefined;
}

/** What is read of a registration, without what is only looked up by: each cell takes time. */
export const REGISTRATION_COLUMNS = `id, type, needs_claim, created_at, window_ends_at, claimed_at, revoked_at,
  email, user_id, version, pre_claim_scopes, post_claim_scopes, resource, wrong_codes, issuer, subject,
  id_jag_issued_at, agent_name, attempt_id, attempt_code_hmac, attempt_expires_at, attempt_interval,
  attempt_last_poll_at, attempt_wrong_codes, attempt_denied_at, attempt_confirmed_at, attempt_confirmed_by,
  delivery_first_at, delivery_jti, delivery_issued_at, delivery_expires_at`;

/** Reads a row of {@link REGISTRATION_COLUMNS}. */
export function toRegistration(row: Row): StoredRegistration {
  const attemptId = column.optionalText(row['attempt_id']);
  const firstAt = column.optionalNumber(row['delivery_first_at']);
  return {
    facts: {
      id: column.text(row['id']),
      type: identityType(row['type']),
      needsClaim: column.number(row['needs_claim']) === 1,
      windowEndsAt: column.number(row['window_ends_at']),
      claimedAt: column.optionalNumber(row['claimed_at']),
      revokedAt: column.optionalNumber(row['revoked_at']),
      email: column.optionalText(row['email']),
      userId: column.optionalText(row['user_id']),
      version: column.number(row['version']),
      preClaimScopes: column.list(row['pre_claim_scopes']),
      postClaimScopes: column.list(row['post_claim_scopes']),
      resource: column.optionalText(row['resource']),
      wrongCodes: column.number(row['wrong_codes']),
      attempt:
        attemptId === undefined
          ? undefined
          : {
              id: attemptId,
              userCodeHmac: column.text(row['attempt_code_hmac']),
              expiresAt: column.number(row['attempt_expires_at']),
              interval: column.number(row['attempt_interval']),
              lastPollAt: column.optionalNumber(row['attempt_last_poll_at']),
              wrongCodes: column.number(row['attempt_wrong_codes']),
              deniedAt: column.optionalNumber(row['attempt_denied_at']),
              confirmedAt: column.optionalNumber(row['attempt_confirmed_at']),
              confirmedBy: column.optionalText(row['attempt_confirmed_by']),
            },
      delivery:
        firstAt === undefined
          ? undefined
          : {
              firstAt,
              assertion: {
                jti: column.text(row['delivery_jti']),
                issuedAt: column.number(row['delivery_issued_at']),
                expiresAt: column.number(row['delivery_expires_at']),
              },
            },
    },
    createdAt: column.number(row['created_at']),
    agentName: column.optionalText(row['agent_name']),
    issuer: column.optionalText(row['issuer']),
    subject: column.optionalText(row['subject']),
    idJagIssuedAt: column.optionalNumber(row['id_jag_issued_at']),
  };
}

function identityType(value: Value | undefined): IdentityType {
  const type = IDENTITY_TYPES.find((known) => known === value);
  if (type === undefined) throw new TypeError('The store holds an unknown registration type.');
  return type;
}
