import type { Answer } from '../../http/answer.ts';
import { decide } from '../../user/form-user.ts';
import type { ClaimTask } from '../../user/user.ts';
import type { ServiceWorld } from '../service-world.ts';
import { ClaimPageSession, openClaimPage } from './claim-page-session.ts';
import { pollOpen } from './polls.ts';

/**
 * Has the user approve or deny a claim.
 * @throws CannotTest when the page with the code is not reached: what a poll answers then proves nothing.
 */
export async function decideClaim(world: ServiceWorld, task: ClaimTask): Promise<void> {
  if (world.user.kind !== 'form') {
    await world.user.claim(task);
    return;
  }
  const session = await ClaimPageSession.open(world, task, task.email);
  await (task.decision === 'deny' ? session.deny() : session.approve(task.userCode));
}

/** A claim attempt and the token that polls it. */
interface PolledClaim {
  readonly verificationUri: string;
  readonly userCode: string;
  readonly claimToken: string;
}

/** Opens a link, signs in, types the code where one is asked for, and polls: whether it is claimed. */
export async function tryToClaim(
  world: ServiceWorld,
  { claimToken, userCode, verificationUri }: PolledClaim,
  email: string,
): Promise<Answer> {
  const { form, page, visitor } = await openClaimPage(world, verificationUri, email);
  if (form !== undefined) await decide(visitor, page, form, { userCode, decision: 'approve' });
  return pollOpen(world, claimToken);
}
