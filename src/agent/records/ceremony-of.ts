import { isOpenable } from '../http/url-policy.ts';
import type { Ceremony, ClaimAttempt } from '../model.ts';

/** An attempt as its user needs it. `homes` are the URLs whose origins the page may be on. */
export function ceremonyOf(
  attempt: Omit<ClaimAttempt, 'ended'>,
  homes: readonly string[],
  now: number,
): Ceremony {
  return {
    userCode: attempt.userCode,
    verificationUri: attempt.verificationUri,
    openable: isOpenable(attempt.verificationUri, homes),
    expiresAt: attempt.expiresAt,
    remaining: Math.max(0, attempt.expiresAt - now),
    interval: attempt.interval,
  };
}
