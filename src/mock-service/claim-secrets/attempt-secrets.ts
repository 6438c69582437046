import { normalizeUserCode } from '../../protocol/user-code.ts';
import { constantTimeEqual, hmacSha256, sha256 } from '../../runtime/hash.ts';
import type { Random } from '../../runtime/ports.ts';
import { randomCharacters, randomToken } from '../../runtime/random-token.ts';
import type { NewAttempt } from '../claim-machine/effects.ts';
import type { CodeCheck } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { type CodeFormat, codeAlphabet, isUserCode, spellUserCode } from '../config/code-format.ts';
import { PATHS } from '../config/paths.ts';
import { ShownAttempts } from './shown-attempts.ts';

/** How a dialect makes them. */
interface Spelling {
  readonly codes: CodeSource;
  readonly tokenPrefix?: string | undefined;
}

/** The secrets that an agent or its user gets once, and how a code that comes back is checked. */
export interface Secrets {
  claimToken(): string;
  /** An access token, which carries no information (wire contract §6). */
  accessToken(): string;
  /** Names an attempt in its link. */
  attemptToken(): string;
  /** The code of an attempt. A page that shows it asks for it again. */
  userCode(attemptId: string): string;
  /** How a code is stored. */
  codeHmac(attemptId: string, code: string): string;
  /** The codes and links that this process handed out, for the live view. */
  readonly shown: ShownAttempts;
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
    shown: new ShownAttempts(),
    checkUserCode: ({ attempt }, typed) => {
      if (!isUserCode(format, typed)) return 'malformed';
      if (attempt === undefined) return 'wrong';
      const hmac = codeHmac(userCodeKey, attempt.id, typed);
      return constantTimeEqual(hmac, attempt.userCodeHmac) ? 'right' : 'wrong';
    },
  };
}

/** How a code is stored, whatever its spelling: it is too short for a hash without a key. */
function codeHmac(key: string, attemptId: string, code: string): string {
  return hmacSha256(key, `${attemptId}.${normalizeUserCode(code)}`);
}

/** What codes are made from. */
interface CodeParts {
  readonly random: Random;
  /** Known to every process that serves the same store. */
  readonly key: string;
  readonly format: CodeFormat;
}

/** How the code of an attempt is made, by the attempt's id. */
export type CodeSource = (parts: CodeParts) => (attemptId: string) => string;

/** Codes for an agent that is told the code once, and keeps it. */
export const randomCodes: CodeSource =
  ({ format, random }) =>
  () =>
    codeOf(format, random);

/** Codes for a page that shows the code whenever it is loaded: made again each time, stored nowhere. */
export const derivedCodes: CodeSource =
  ({ format, key }) =>
  (attemptId) =>
    codeOf(format, keyedBytes(key, attemptId));

function codeOf(format: CodeFormat, random: Random): string {
  return spellUserCode(format, randomCharacters(random, codeAlphabet(format), format.length));
}

/** HMAC in counter mode (NIST SP 800-108r1 §4.1): as many bytes as are asked for, the same each time. */
function keyedBytes(key: string, attemptId: string): Random {
  let block = 0;
  const next = () => {
    block += 1;
    return Buffer.from(hmacSha256(key, `code ${block} of ${attemptId}`), 'base64url');
  };
  return {
    bytes: (length) => {
      const blocks: Buffer[] = [];
      for (let had = 0; had < length; had += blocks.at(-1)?.length ?? 0) blocks.push(next());
      return Uint8Array.from(Buffer.concat(blocks).subarray(0, length));
    },
  };
}

/** A fresh attempt: what is stored, and beside it the two secrets that are shown once. */
export interface FreshAttempt {
  readonly stored: NewAttempt;
  readonly userCode: string;
  readonly token: string;
}

/** What fresh attempts are made from. */
interface AttemptSource {
  readonly random: Random;
  readonly secrets: Secrets;
}

export function freshAttempt({ random, secrets }: AttemptSource): FreshAttempt {
  const id = randomToken(random, 'cla_');
  const token = secrets.attemptToken();
  const userCode = secrets.userCode(id);
  // Computed when it is stored: most registrations by ID-JAG need no claim.
  const stored: NewAttempt = {
    id,
    get tokenHash() {
      return sha256(token);
    },
    get userCodeHmac() {
      return secrets.codeHmac(id, userCode);
    },
  };
  return { stored, userCode, token };
}

/** Takes note of one that is stored for good: its transaction has ended, or it may not be. */
export function noteOpened(
  { secrets }: { readonly secrets: Secrets },
  { stored, token, userCode }: FreshAttempt,
): void {
  secrets.shown.note(stored.id, { userCode, token });
}

/** Names the attempt, never the code, and fits on a line (RFC 8628 §3.3). */
export function claimLink(issuer: string, attemptToken: string): string {
  return `${issuer}${PATHS.claimLink}/${attemptToken}`;
}
