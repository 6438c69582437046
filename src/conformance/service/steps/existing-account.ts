import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { type ClaimBlock, readClaimBlock } from '../claim-block.ts';
import type { ServiceWorld } from '../service-world.ts';
import { pollPatiently } from './polls.ts';

/** Somebody with an account here. */
export interface Owner {
  readonly email: string;
  /** The poll with the assertion of the registration that made the account. */
  readonly completed: Answer;
}

/** Makes an account, by completing a claim. @throws CannotTest, NotApplicable */
export async function makeOwner(world: ServiceWorld): Promise<Owner> {
  const email = world.freshEmail();
  const open = await openClaimFor(world, email);
  await decideInteraction(world, open, email, 'approve');
  const completed = await pollPatiently(world, open.claimToken);
  world.must(completed, 'identity_assertion', 'a completed claim');
  return { email, completed };
}

async function openClaimFor(world: ServiceWorld, email: string): Promise<Interaction> {
  if (world.facts.identityTypes.includes('service_auth')) return world.byEmail(email);
  const { claimToken } = await world.anonymous();
  return { claimToken, claim: await world.openClaim(claimToken, email) };
}

/** What an `interaction_required` asks the user of an ID-JAG for. */
export interface Interaction {
  readonly claimToken: string;
  readonly claim: ClaimBlock;
}

export function interactionOf(answer: Answer): Interaction | undefined {
  const claimToken = answer.string('claim_token');
  const claim = readClaimBlock(answer);
  return claimToken === undefined || claim === undefined ? undefined : { claimToken, claim };
}

/** @throws CannotTest */
export function mustRequireInteraction(answer: Answer): Interaction {
  const interaction = interactionOf(answer);
  if (interaction !== undefined) return interaction;
  throw new CannotTest(`An ID-JAG for an existing account gave no claim (${answer.describe()}).`);
}

/** The user approves or denies. What comes of it is polled for patiently: nothing needs to pass before. */
export async function decideInteraction(
  world: ServiceWorld,
  { claim: { userCode, verificationUri } }: Interaction,
  email: string,
  decision: 'approve' | 'deny',
): Promise<void> {
  await world.user.claim({ verificationUri, userCode, email, decision });
}
