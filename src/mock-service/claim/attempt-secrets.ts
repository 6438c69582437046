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
import { PATHS } from '../discovery/metadata.ts';

const USER_CODE_DIGITS = 6;

/** What is told once, to an agent or its user, and how what comes back is checked. */
export interface Secrets {
  claimToken(): string;
  /** Names an attempt in its link. */
  attemptToken(): string;
  userCode(): string;
  /** What a person typed against what is stored. Something that cannot be a code is no try (wire.md §5). */
  checkUserCode(facts: RegistrationFacts, typed: string): CodeCheck;
}

export function claimSecrets(random: Random, userCodeKey: string): Secrets {
  return {
    claimToken: () => randomToken(random, 'clm_'),
    attemptToken: () => randomToken(random, 'cat_'),
    userCode: () => randomDigits(random, USER_CODE_DIGITS),
    checkUserCode: ({ attempt }, typed) => {
      if (!isUserCode(typed)) return 'malformed';
      if (attempt === undefined) return 'wrong';
      const hmac = codeHmac(userCodeKey, attempt.id, normalizeUserCode(typed));
      return constantTimeEqual(hmac, attempt.userCodeHmac) ? 'right' : 'wrong';
    },
  };
}

/** A fresh attempt: what is stored, and beside it the two secrets that are told once. */
export interface FreshAttempt {
  readonly stored: NewAttempt;
  readonly userCode: string;
  readonly token: string;
}

/** What fresh attempts are made from. */
export interface AttemptSource {
  readonly random: Random;
  readonly secrets: Secrets;
  readonly userCodeKey: string;
}

export function freshAttempt({ random, secrets, userCodeKey }: AttemptSource): FreshAttempt {
  const id = randomToken(random, 'cla_');
  const token = secrets.attemptToken();
  const userCode = secrets.userCode();
  const userCodeHmac = codeHmac(userCodeKey, id, userCode);
  return { stored: { id, tokenHash: sha256(token), userCodeHmac }, userCode, token };
}

/** Whether a text could be a code, with its spaces and dashes. */
export function isUserCode(typed: string): boolean {
  const code = normalizeUserCode(typed);
  return /^\d+$/.test(code) && code.length === USER_CODE_DIGITS;
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

/** Names the attempt, never the code, and fits on a line (RFC 8628 §3.3). */
function verificationUri(issuer: string, attemptToken: string): string {
  return `${issuer}${PATHS.claimLink}/${attemptToken}`;
}

function codeHmac(key: string, attemptId: string, code: string): string {
  return hmacSha256(key, `${attemptId}.${code}`);
}
