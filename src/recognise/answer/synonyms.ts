import { displayText } from '../../protocol/index.ts';

/** Other spellings of a code, by the name that the wire contract has for it. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['issuer_not_enabled', 'invalid_issuer'],
  ['user_code_invalid', 'invalid_user_code'],
  ['otp_invalid', 'invalid_user_code'],
  ['user_code_expired', 'claim_attempt_expired'],
  ['otp_expired', 'claim_attempt_expired'],
  ['otp_not_generated', 'claim_not_confirmed'],
  ['previously_claimed', 'already_claimed'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['invalid_claim', 'invalid_claim_token'],
  ['claim_denied', 'access_denied'],
]);

const TYPES = ['anonymous', 'service_auth', 'identity_assertion'];

/** A code as this program knows it; one that it does not know stays as it is, made safe to show. */
export function canonicalCode(stated: string): string {
  const code = displayText(stated.trim(), 100);
  const disabled = /^(\w+)_registration_disabled$/.exec(code)?.[1];
  if (disabled !== undefined && TYPES.includes(disabled)) return `${disabled}_not_enabled`;
  return SYNONYMS.get(code) ?? code;
}
