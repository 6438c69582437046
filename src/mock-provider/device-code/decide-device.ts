import type { UserDecision } from '../checks/user-decision.ts';
import type { DeviceFacts } from './device-facts.ts';

/** What a user's decision about a code comes to. `unknown` also stands for expired codes. */
export type DeviceDecision = 'approved' | 'denied' | 'unknown';

/** A decision is made once; the same one again, by the same account, has the same outcome. */
export function decideDevice(
  facts: DeviceFacts | undefined,
  decision: UserDecision,
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
