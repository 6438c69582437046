import { type Surface, type WireCode, wireCode } from '../protocol/index.ts';

type Names = Readonly<Record<string, string>>;

/** Wherever they come. */
const EVERYWHERE: Names = {
  rate_limit_exceeded: 'rate_limited',
  too_many_requests: 'rate_limited',
};

const OF_REGISTRATION: Names = {
  issuer_not_enabled: 'invalid_issuer',
  audience_mismatch: 'invalid_audience',
  credential_expired: 'expired',
  anonymous_registration_disabled: 'anonymous_not_enabled',
  service_auth_registration_disabled: 'service_auth_not_enabled',
  verified_email_not_enabled: 'service_auth_not_enabled',
  verified_email_registration_disabled: 'service_auth_not_enabled',
  identity_assertion_registration_disabled: 'identity_assertion_not_enabled',
  missing_verified_identity: 'missing_verified_email',
  insufficient_user_authentication: 'login_required',
};

/**
 * What services call the codes of the list, by where they say it: the same word may mean two things at two
 * endpoints. Later and earlier versions renamed some, and their documents promise others than their code sends
 * (wire contract §3).
 */
const BY_SURFACE: Readonly<Partial<Record<Surface, Names>>> = {
  identity: OF_REGISTRATION,
  claim: {
    ...OF_REGISTRATION,
    invalid_claim: 'invalid_claim_token',
    already_claimed: 'claimed_or_in_flight',
    previously_claimed: 'claimed_or_in_flight',
    claim_completed: 'claimed_or_in_flight',
    claim_revoked: 'claim_expired',
  },
  read_back: {
    invalid_claim: 'invalid_claim_token',
    user_code_invalid: 'invalid_user_code',
    otp_invalid: 'invalid_user_code',
    otp_not_generated: 'claim_not_confirmed',
    user_code_expired: 'claim_attempt_expired',
    otp_expired: 'claim_attempt_expired',
    expired_token: 'claim_attempt_expired',
    claim_superseded: 'claim_attempt_expired',
    code_dead: 'too_many_attempts',
    claim_denied: 'access_denied',
    previously_claimed: 'already_claimed',
    claimed_or_in_flight: 'already_claimed',
    claim_completed: 'already_claimed',
    claim_revoked: 'claim_expired',
  },
  refresh: { invalid_grant: 'invalid_refresh_token' },
  token: {
    user_code_expired: 'expired_token',
    otp_expired: 'expired_token',
    claim_expired: 'expired_token',
    claim_denied: 'access_denied',
    claim_not_confirmed: 'authorization_pending',
    invalid_claim: 'invalid_grant',
    invalid_claim_token: 'invalid_grant',
    claim_revoked: 'invalid_grant',
    already_claimed: 'invalid_grant',
    previously_claimed: 'invalid_grant',
  },
};

/** Codes of another place that come here, too: an ID-JAG claims as it registers, and is refused as there. */
export function entryOf(surface: Surface, code: string): WireCode | undefined {
  const here = wireCode(surface, code);
  return here ?? (surface === 'claim' ? wireCode('identity', code) : undefined);
}

/** The code of the list that a service's own word means there; any other word stays as it is. */
export function codeMeant(surface: Surface, sent: string): string {
  // At its own place a word of the list means what the list says.
  if (entryOf(surface, sent) !== undefined) return sent;
  return own(BY_SURFACE[surface] ?? {}, sent) ?? own(EVERYWHERE, sent) ?? sent;
}

function own(names: Names, name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}
