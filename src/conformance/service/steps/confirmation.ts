import { NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld, Subject } from '../service-world.ts';
import type { MintOptions } from '../test-provider.ts';
import { type Interaction, mustRequireInteraction, NOBODY_IS_ASKED } from './account-access.ts';
import { decideClaim } from './open-claim.ts';
import { pollPatiently } from './polls.ts';
import { present } from './present-id-jag.ts';

/**
 * Presents an ID-JAG with the email of an account, whose owner is asked.
 * @throws NotApplicable where nobody is asked; CannotTest where nothing is given to ask with.
 */
export async function askOwner(
  world: ServiceWorld,
  whom: Subject,
  options: MintOptions = {},
): Promise<Interaction> {
  const answer = await present(world, world.idJag(whom, options));
  if (answer.ok) throw new NotApplicable(NOBODY_IS_ASKED);
  return mustRequireInteraction(answer);
}

/** A registration by ID-JAG that the owner of an account has confirmed. */
export interface Confirmed {
  readonly claimToken: string;
  readonly assertion: string;
  /** The access token that the poll gave. */
  readonly token: string;
  readonly polled: Answer;
}

/** The owner confirms, and the agent polls. @throws CannotTest */
export async function confirm(
  world: ServiceWorld,
  { claim, claimToken }: Interaction,
  email: string,
): Promise<Confirmed> {
  await decideClaim(world, { ...claim, email, decision: 'approve' });
  const polled = await pollPatiently(world, claimToken);
  const what = 'a confirmed ID-JAG';
  return {
    claimToken,
    assertion: world.must(polled, 'identity_assertion', what),
    token: world.must(polled, 'access_token', what),
    polled,
  };
}
