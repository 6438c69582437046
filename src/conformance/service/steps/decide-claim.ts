import type { Answer } from '../../http/answer.ts';
import type { Page } from '../../pages/visitor.ts';
import { decide } from '../../user/form-user.ts';
import type { ClaimTask } from '../../user/user.ts';
import type { ClaimBlock } from '../claim-block.ts';
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

type Attempt = Pick<ClaimBlock, 'userCode' | 'verificationUri'>;

/** Opens a link, signs in and types the code: the page that follows; undefined where no code is asked for. */
export async function approveAt(
  world: ServiceWorld,
  { userCode, verificationUri }: Attempt,
  email: string,
): Promise<Page | undefined> {
  const { form, page, visitor } = await openClaimPage(world, verificationUri, email);
  return form && decide(visitor, page, form, { userCode, decision: 'approve' });
}

/** The same, and polls: whether it is claimed. */
export async function tryToClaim(
  world: ServiceWorld,
  claim: Attempt & { readonly claimToken: string },
  email: string,
): Promise<Answer> {
  await approveAt(world, claim, email);
  return pollOpen(world, claim.claimToken);
}
