import type { Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';

/** What an error code says to have been wrong, as an agent understands it. */
const CODES = {
  issuer: ['invalid_issuer', 'issuer_not_enabled', 'untrusted_issuer', 'unknown_issuer'],
  signature: ['invalid_signature', 'invalid_key', 'signature_invalid'],
  audience: ['invalid_audience', 'audience_mismatch'],
  time: ['expired', 'expired_token', 'token_expired', 'assertion_expired'],
  client: ['invalid_client_id', 'invalid_client', 'unauthorized_client'],
  contact: ['missing_verified_email', 'email_not_verified', 'unverified_email'],
  replay: ['replay_detected', 'replayed', 'jti_reused'],
  'sign-in': ['login_required', 'insufficient_user_authentication'],
  question: ['interaction_required', 'consent_required'],
  hint: ['invalid_login_hint', 'invalid_email'],
  'switched-off': [
    'anonymous_not_enabled',
    'service_auth_not_enabled',
    'identity_assertion_not_enabled',
  ],
  'claim-token': ['invalid_claim_token'],
  'claim-over': ['claim_expired'],
  'other-email': ['email_mismatch'],
  claimed: ['claimed_or_in_flight', 'already_claimed'],
  tries: ['too_many_attempts'],
  outage: ['temporarily_unavailable'],
  scope: ['invalid_scope', 'insufficient_scope'],
  target: ['invalid_target'],
  grant: ['unsupported_grant_type'],
  pending: ['authorization_pending', 'slow_down'],
  denied: ['access_denied'],
} as const;

export type ErrorCause = keyof typeof CODES;

const CAUSES = new Map<string, ErrorCause>(
  Object.entries(CODES).flatMap(([cause, codes]) =>
    codes.map((code): [string, ErrorCause] => [code, cause as ErrorCause]),
  ),
);

/**
 * A row for a refusal: its code names one of these causes, or none in particular. A code of the service's own
 * says nothing that an agent could misread.
 */
export const noOtherCause =
  (...causes: readonly ErrorCause[]) =>
  (answer: Answer): Reading => {
    const named = CAUSES.get(answer.errorCode ?? '');
    const own = causes.map((cause) => CODES[cause][0]).join(' or ');
    return {
      ok: named === undefined || causes.includes(named),
      expected: `${own === '' ? 'a code' : `${own}, or a code`} that names no other cause, such as invalid_request`,
    };
  };
