import { type CodeAt, SECOND } from '../../protocol/index.ts';
import type { Decision } from '../context/decision.ts';
import { DEVICE_REDELIVERY } from '../context/lifetimes.ts';

/** What is stored of one device authorization. Instants in milliseconds. */
export interface DeviceFacts {
  readonly scopes: readonly string[];
  /** Named by the request, to be consented to together with the sign-in. */
  readonly audience: string | undefined;
  /** `undefined`: whatever the audience gives. */
  readonly audienceScopes: readonly string[] | undefined;
  /** Set when a sign-in from before this instant does not do. */
  readonly signedInAfter: number | undefined;
  readonly expiresAt: number;
  readonly interval: number;
  readonly lastPollAt: number | undefined;
  /** Set with the approval. */
  readonly email: string | undefined;
  readonly authTime: number | undefined;
  readonly approvedAt: number | undefined;
  readonly deniedAt: number | undefined;
  readonly collectedAt: number | undefined;
}

export type PollDecision =
  | { readonly kind: 'signed_in'; readonly email: string; readonly authTime: number }
  | {
      readonly kind: 'waiting';
      readonly code: 'authorization_pending' | 'slow_down';
      /** From now on. */
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

/** What a user's decision about a code comes to. `unknown` also stands for codes that are over. */
export type DeviceDecision = 'approved' | 'denied' | 'unknown';

/** Whether a sign-in is as recent as the request wants it (OpenID Connect Core §3.1.2.1). */
export function isRecentEnough({ signedInAfter }: DeviceFacts, authTime: number): boolean {
  return signedInAfter === undefined || authTime >= signedInAfter;
}

/** A decision is made once; the same one again, by the same account, has the same outcome. */
export function decideDevice(
  facts: DeviceFacts | undefined,
  decision: Decision,
  email: string,
  now: number,
): DeviceDecision {
  if (facts === undefined || now >= facts.expiresAt) return 'unknown';
  const decided = facts.approvedAt !== undefined || facts.deniedAt !== undefined;
  if (!decided) return decision === 'approve' ? 'approved' : 'denied';
  if (facts.email !== email) return 'unknown';
  if (facts.approvedAt !== undefined) return decision === 'approve' ? 'approved' : 'unknown';
  return decision === 'deny' ? 'denied' : 'unknown';
}
