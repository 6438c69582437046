import type { Faults } from '../../mock/index.ts';
import { type ClaimBlock, normalizeUserCode, SECOND } from '../../protocol/index.ts';
import {
  constantTimeEqual,
  hmacSha256,
  type Random,
  randomDigits,
  randomToken,
  sha256,
} from '../../runtime/index.ts';
import type { CodeCheck, NewAttempt, RegistrationFacts } from '../claim-machine/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import { PATHS } from '../metadata.ts';

const USER_CODE_DIGITS = 6;

/** A fresh attempt: what is stored, and beside it the two secrets that are told once. */
export interface FreshAttempt {
  readonly stored: NewAttempt;
  readonly userCode: string;
  readonly token: string;
}

export function freshAttempt(
  random: Random,
  userCodeKey: string,
  faults: Faults<ServiceFault>,
): FreshAttempt {
  const id = randomToken(random, 'cla_');
  const token = faults.has('attemptTokensShort')
    ? `cat_${randomDigits(random, 12)}`
    : randomToken(random, 'cat_');
  const userCode = faults.has('codesPredictable')
    ? randomDigits(random, 2).padStart(USER_CODE_DIGITS, '0')
    : randomDigits(random, USER_CODE_DIGITS);
  const userCodeHmac = codeHmac(userCodeKey, id, userCode);
  return { stored: { id, tokenHash: sha256(token), userCodeHmac }, userCode, token };
}

/** Whether a text could be a code, with its spaces and dashes. */
export function isUserCode(typed: string): boolean {
  const code = normalizeUserCode(typed);
  return /^\d+$/.test(code) && code.length === USER_CODE_DIGITS;
}

/** What a person typed against what is stored. Something that cannot be a code is no try (wire.md §5). */
export function checkUserCode(
  key: string,
  facts: RegistrationFacts,
  typed: string,
  faults: Faults<ServiceFault>,
): CodeCheck {
  if (!isUserCode(typed)) return 'malformed';
  if (faults.has('spellingStrict') && /\D/.test(typed)) return 'wrong';
  if (faults.has('anyCodeClaims')) return 'right';
  const code = normalizeUserCode(typed);
  const { attempt } = facts;
  if (attempt === undefined) return 'wrong';
  return constantTimeEqual(codeHmac(key, attempt.id, code), attempt.userCodeHmac)
    ? 'right'
    : 'wrong';
}

/** The block that tells agent and user how to complete an attempt (RFC 8628 §3.2). */
export function claimBlock(
  issuer: string,
  attempt: FreshAttempt,
  opened: { readonly expiresAt: number; readonly interval: number },
  now: number,
): ClaimBlock {
  return {
    user_code: attempt.userCode,
    verification_uri: verificationUri(issuer, attempt.token),
    expires_in: Math.ceil((opened.expiresAt - now) / SECOND),
    interval: Math.ceil(opened.interval / SECOND),
  };
}

/** Names the attempt, never the code (RFC 8628 §3.3). */
function verificationUri(issuer: string, attemptToken: string): string {
  const returnTo = `${PATHS.claimPage}?claim_attempt_token=${attemptToken}`;
  return `${issuer}${PATHS.login}?return_to=${encodeURIComponent(returnTo)}`;
}

function codeHmac(key: string, attemptId: string, code: string): string {
  return hmacSha256(key, `${attemptId}.${code}`);
}
