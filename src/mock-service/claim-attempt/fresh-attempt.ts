import { sha256 } from '../../runtime/hash.ts';
import type { Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { NewAttempt } from '../claim-machine/effects.ts';
import { PATHS } from '../config/paths.ts';
import type { Secrets } from './attempt-secrets.ts';

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
