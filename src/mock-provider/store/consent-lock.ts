import type { LockName } from '../../mock/index.ts';

/**
 * What is decided about a user's consent to an audience waits for each other: mints and revocations have one
 * order, and what a revocation ends is all that there is.
 */
export function consentLock({
  audience,
  email,
}: {
  readonly audience: string;
  readonly email: string;
}): LockName {
  return ['consent', email, audience];
}
