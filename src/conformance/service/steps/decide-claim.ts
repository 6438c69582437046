import type { ClaimTask } from '../../user/user.ts';
import type { ServiceWorld } from '../service-world.ts';
import { ClaimPageSession } from './claim-page-session.ts';

/**
 * Lets the user do their part of a claim.
 * @throws CannotTest when they did not get in front of the code: what a poll says then proves nothing.
 */
export async function letClaim(world: ServiceWorld, task: ClaimTask): Promise<void> {
  if (world.user.kind !== 'form') {
    await world.user.claim(task);
    return;
  }
  const seat = await ClaimPageSession.take(world, task, task.email);
  await (task.decision === 'deny' ? seat.deny() : seat.type(task.userCode));
}
