import type { CodeAt } from '../../protocol/codes.ts';
import { SECOND } from '../../protocol/durations.ts';
import { DEVICE_REDELIVERY } from '../config/lifetimes.ts';
import type { DeviceFacts } from './device-facts.ts';

export type PollDecision =
  | { readonly kind: 'signed_in'; readonly email: string; readonly authTime: number }
  | {
      readonly kind: 'waiting';
      readonly code: 'authorization_pending' | 'slow_down';
      /** The interval from now on. */
      readonly interval: number;
    }
  | { readonly kind: 'refused'; readonly code: CodeAt<'provider'> };

const SLOW_DOWN_STEP = 5 * SECOND;
const MAX_INTERVAL = 60 * SECOND;
/** A poll may be this much early: clocks and networks are not exact. */
const EARLY_TOLERANCE = SECOND;

/** What a poll of the device grant is answered with (RFC 8628 §3.5). */
export function decidePoll(facts: DeviceFacts, now: number): PollDecision {
  if (facts.deniedAt !== undefined) return { kind: 'refused', code: 'access_denied' };
  const { approvedAt, authTime, collectedAt, email } = facts;
  if (collectedAt !== undefined && now >= collectedAt + DEVICE_REDELIVERY) {
    return { kind: 'refused', code: 'invalid_grant' };
  }
  if (collectedAt === undefined && now >= facts.expiresAt) {
    return { kind: 'refused', code: 'expired_token' };
  }
  if (approvedAt !== undefined && email !== undefined && authTime !== undefined) {
    return { kind: 'signed_in', email, authTime };
  }
  const { interval, lastPollAt } = facts;
  const early = lastPollAt !== undefined && now - lastPollAt < interval - EARLY_TOLERANCE;
  if (!early) return { kind: 'waiting', code: 'authorization_pending', interval };
  const raised = Math.max(interval, Math.min(interval + SLOW_DOWN_STEP, MAX_INTERVAL));
  return { kind: 'waiting', code: 'slow_down', interval: raised };
}
