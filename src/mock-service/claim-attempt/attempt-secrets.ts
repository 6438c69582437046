import { normalizeUserCode } from '../../protocol/user-code.ts';
import { constantTimeEqual, hmacSha256 } from '../../runtime/hash.ts';
import type { Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { CodeCheck } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import type { CodeFormat } from '../config/code-format.ts';
import { isUserCode } from '../config/user-code.ts';
import type { CodeSource } from './code-source.ts';

/** How a dialect makes them. */
interface Spelling {
  readonly codes: CodeSource;
  readonly tokenPrefix?: string | undefined;
}

/** The secrets that an agent or its user gets once, and how a code that comes back is checked. */
export interface Secrets {
  claimToken(): string;
  /** It carries no information (wire contract §6). */
  accessToken(): string;
  /** Names an attempt in its link. */
  attemptToken(): string;
  /** The code of an attempt. A page that shows it asks for it again. */
  userCode(attemptId: string): string;
  /** How a code is stored. */
  codeHmac(attemptId: string, code: string): string;
  /** What a user typed against what is stored. What cannot be a code is not counted (wire contract §5). */
  checkUserCode(facts: RegistrationFacts, typed: string): CodeCheck;
}

export function claimSecrets(
  random: Random,
  userCodeKey: string,
  format: CodeFormat,
  { codes, tokenPrefix = 'at_' }: Spelling,
): Secrets {
  return {
    claimToken: () => randomToken(random, 'clm_'),
    accessToken: () => randomToken(random, tokenPrefix),
    attemptToken: () => randomToken(random, 'cat_'),
    userCode: codes({ random, key: userCodeKey, format }),
    codeHmac: (attemptId, code) => codeHmac(userCodeKey, attemptId, code),
    checkUserCode: ({ attempt }, typed) => {
      if (!isUserCode(format, typed)) return 'malformed';
      if (attempt === undefined) return 'wrong';
      const hmac = codeHmac(userCodeKey, attempt.id, typed);
      return constantTimeEqual(hmac, attempt.userCodeHmac) ? 'right' : 'wrong';
    },
  };
}

/** How a code is stored, whatever its spelling: it is too short for a hash without a key. */
export function codeHmac(key: string, attemptId: string, code: string): string {
  return hmacSha256(key, `${attemptId}.${normalizeUserCode(code)}`);
}
