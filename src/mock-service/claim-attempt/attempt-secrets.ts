import { normalizeUserCode } from '../../protocol/index.ts';
import {
  constantTimeEqual,
  hmacSha256,
  type Random,
  randomDigits,
  randomToken,
} from '../../runtime/index.ts';
import type { CodeCheck, RegistrationFacts } from '../claim-machine/index.ts';

const USER_CODE_DIGITS = 6;

/** The secrets that an agent or its user gets once, and how a code that comes back is checked. */
export interface Secrets {
  claimToken(): string;
  /** Names an attempt in its link. */
  attemptToken(): string;
  userCode(): string;
  /** What a user typed against what is stored. What cannot be a code is not counted (wire.md §5). */
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

/** Whether a text could be a code, with its spaces and dashes. */
export function isUserCode(typed: string): boolean {
  const code = normalizeUserCode(typed);
  return /^\d+$/.test(code) && code.length === USER_CODE_DIGITS;
}

/** How a code is stored: it is too short for a hash without a key. */
export function codeHmac(key: string, attemptId: string, code: string): string {
  return hmacSha256(key, `${attemptId}.${code}`);
}
