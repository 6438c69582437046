import type { AccessToken, Registration } from '../../agent/model.ts';
import type { JsonData } from '../output.ts';
import { isoOrNull } from '../terminal/time.ts';

/** Who is asked to take it over; else whom it belongs to. */
export function userOf({ email, claim }: Registration): string | null {
  return claim?.email ?? email;
}

/** A registration for programs: facts alone, no secret. */
export function registrationJson(registration: Registration): JsonData {
  return {
    registration_id: registration.id,
    registration_type: registration.type,
    issuer: registration.issuer,
    email: userOf(registration),
    provider: registration.provider,
    claimed: registration.claimed,
    assertion_expires: isoOrNull(registration.assertion?.expiresAt),
    claim_token_expires: isoOrNull(registration.claim?.expiresAt),
    pre_claim_scopes: registration.preClaimScopes,
    post_claim_scopes: registration.postClaimScopes,
  };
}

/** A token for programs, without the token. */
export function tokenJson(token: AccessToken): JsonData {
  return { scopes: token.scopes, expires_at: isoOrNull(token.expiresAt) };
}
